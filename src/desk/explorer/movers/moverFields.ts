import type { Field } from "../../pages/chooseForm.ts"

/** What somebody chose of the movers; null = any. */
export interface ChosenMovers {
  readonly days: number
  /** Days, 2026-05-01. */
  readonly since: string | null
  readonly until: string | null
  readonly by: "money" | "percent"
  readonly currency: string | null
  /** Of an address; the form chooses by currency. */
  readonly source: string | null
  /** An expansion's code. */
  readonly set: string | null
  readonly kind: string | null
  readonly finish: string | null
  readonly minPrice: number
  readonly minListings: number
  /** Whether a young game is compared with the service's own history. */
  readonly withHistory: boolean
  readonly flagged: string
}

/** A currency of prices, and what people call the sources that have it. */
export interface CurrencyOfPrices {
  readonly currency: string
  readonly sources: ReadonlyArray<string>
}

const flagOptions = [
  ["all", "show"],
  ["hide", "hide all"],
  ["only", "only these"],
  ["outliers", "only outliers"],
  ["thin", "hide thin"],
  ["stale", "hide stale"],
  ["far", "hide far"],
  ["outlier", "hide outliers"],
  ["spike", "hide spikes"]
] as const

/** The form of the movers' page. */
export const moverFields = (
  chosen: ChosenMovers,
  currencies: ReadonlyArray<CurrencyOfPrices>
): ReadonlyArray<Field> => [
  { kind: "day", name: "since", label: "from", value: chosen.since ?? "" },
  { kind: "day", name: "until", label: "to", value: chosen.until ?? "" },
  {
    kind: "choice",
    name: "by",
    label: "greatest by",
    value: chosen.by,
    options: [
      ["money", "money"],
      ["percent", "percent"]
    ]
  },
  ...(currencies.length > 1
    ? [
        {
          kind: "choice",
          name: "currency",
          label: "currency",
          value: chosen.currency ?? "",
          options: currencies.map(({ currency, sources }) => [currency, `${currency} · ${sources.join(", ")}`] as const)
        } as const
      ]
    : []),
  { kind: "text", name: "set", label: "set", value: chosen.set ?? "", hint: "its code" },
  {
    kind: "choice",
    name: "kind",
    label: "kind",
    value: chosen.kind ?? "any",
    options: [
      ["any", "any"],
      ["card", "cards"],
      ["sealed", "sealed"]
    ]
  },
  { kind: "text", name: "finish", label: "finish", value: chosen.finish ?? "", hint: "such as Foil" },
  { kind: "number", name: "min-price", label: "price at least", value: chosen.minPrice, step: "any" },
  { kind: "number", name: "min-listings", label: "listings at least", value: chosen.minListings },
  {
    kind: "choice",
    name: "history",
    label: "service’s own history",
    value: chosen.withHistory ? "yes" : "no",
    options: [
      ["no", "not counted"],
      ["yes", "where no reading is so old"]
    ]
  },
  {
    kind: "choice",
    name: "flagged",
    label: "flagged prices",
    value: chosen.flagged,
    options: flagOptions
  }
]
