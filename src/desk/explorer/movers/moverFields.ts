import { amountField, choiceField, type Field } from "../../pages/chooseForm.ts"

/** The filters of the movers; null = any. */
export interface ChosenMovers {
  readonly days: number
  /** Days such as 2026-05-01. */
  readonly since: string | null
  readonly until: string | null
  readonly by: "money" | "percent"
  readonly currency: string | null
  /** Set by an address; the form filters by currency. */
  readonly source: string | null
  /** An expansion's code. */
  readonly set: string | null
  readonly kind: string | null
  readonly finish: string | null
  readonly minPrice: number
  readonly minListings: number
  /** True if a young game is compared with the service's history. */
  readonly withHistory: boolean
  readonly trust: string
}

/** A currency of prices, and the display names of its sources. */
export interface CurrencyOfPrices {
  readonly currency: string
  readonly sources: ReadonlyArray<string>
}

export const trustOptions = [
  "all",
  "ok",
  "doubted",
  "jump",
  "parked",
  "disagree",
  "stale",
  "thin",
  "single source"
] as const

/** The form of the movers' page. */
export const moverFields = (
  chosen: ChosenMovers,
  currencies: ReadonlyArray<CurrencyOfPrices>
): ReadonlyArray<Field> => [
  { kind: "day", name: "since", label: "from", value: chosen.since ?? "" },
  { kind: "day", name: "until", label: "to", value: chosen.until ?? "" },
  choiceField("by", "sort by", chosen.by, ["money", "percent"]),
  ...(currencies.length > 1
    ? [
        choiceField("currency", "currency", chosen.currency ?? "any", [
          ["any", "each"],
          ...currencies.map(({ currency, sources }) => [currency, `${currency} · ${sources.join(", ")}`] as const)
        ])
      ]
    : []),
  { kind: "text", name: "set", label: "set", value: chosen.set ?? "", hint: "code" },
  choiceField("kind", "kind", chosen.kind ?? "any", ["any", ["card", "cards"], "sealed"]),
  { kind: "text", name: "finish", label: "finish", value: chosen.finish ?? "", hint: "e.g. Foil" },
  amountField("min-price", "min. price", chosen.minPrice),
  { kind: "number", name: "min-listings", label: "min. listings", value: chosen.minListings },
  choiceField("history", "marketplace’s own history", chosen.withHistory ? "yes" : "no", [
    ["no", "not used"],
    ["yes", "if no reading is old enough"]
  ]),
  choiceField("trust", "trust in the price", chosen.trust, trustOptions)
]
