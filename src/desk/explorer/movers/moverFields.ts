import { Effect } from "effect"
import { type PageRequest, readChoice, readDay, readNumber } from "../PageRequest.ts"
import { amountField, choiceField, type Field } from "../../pages/chooseForm.ts"

/** A currency of prices, and the display names of its sources. */
export interface CurrencyOfPrices {
  readonly currency: string
  readonly sources: ReadonlyArray<string>
}

const trustOptions = ["all", "ok", "doubted", "jump", "parked", "disagree", "stale", "thin", "single source"] as const

/** Reads the filters of the movers from an address; null = any. */
export const chosenMovers = Effect.fnUntraced(function* (
  request: PageRequest,
  currencies: ReadonlyArray<string>,
  isOneWay: boolean
) {
  const text = (name: string) => (request.query.get(name) ?? "").trim() || null
  const either = (value: string) => (value === "any" ? null : value)
  const [main = "EUR", ...others] = currencies
  const source = either(yield* readChoice(request, "source", ["any", "sourceEur", "sourceUsd"]))
  return {
    days: yield* readNumber(request, "days", { absent: 7, least: 1 }),
    since: yield* readDay(request, "since"),
    until: yield* readDay(request, "until"),
    by: yield* readChoice(request, "by", ["money", "percent"]),
    // A source implies its currency. A list of one direction has one order, so it has one currency.
    currency:
      source === null
        ? either(yield* readChoice(request, "currency", isOneWay ? [main, ...others] : ["any", main, ...others]))
        : null,
    // Only an address sets a source; the form filters by currency.
    source,
    set: text("set"),
    kind: either(yield* readChoice(request, "kind", ["any", "card", "sealed"])),
    finish: text("finish"),
    minPrice: yield* readNumber(request, "min-price", { absent: 1, whole: false }),
    minListings: yield* readNumber(request, "min-listings", { absent: 0 }),
    /** True if a young game is compared with the service’s history. */
    withHistory: (yield* readChoice(request, "history", ["no", "yes"])) === "yes",
    trust: yield* readChoice(request, "trust", trustOptions)
  }
})

export type ChosenMovers = Effect.Success<ReturnType<typeof chosenMovers>>

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
