import { Order, Schema } from "effect"
import { maxPrice } from "../../feed/contract/Prices.ts"

/** The currencies in which the marketplace sells, each with two decimals. Spec: Money. */
export const MarketCurrency = Schema.Literals(["USD", "EUR", "GBP", "CAD", "CHF"]).annotate({
  title: "MarketCurrency",
  description: "ISO 4217. The marketplace sells in these."
})
export type MarketCurrency = typeof MarketCurrency.Type

/** An amount in the major unit: 14.99. More than two decimals are refused, never rounded. Spec: Money. */
// @effect-diagnostics-next-line schemaNumber:off -- infinite figures and NaN fail the comparisons
export const Amount = Schema.Number.check(
  Schema.makeFilter((amount) => amount >= 0 && amount <= maxPrice && Math.round(amount * 100) / 100 === amount, {
    expected: `a decimal with at most two places between 0 and ${maxPrice}`,
    representation: { id: "effect/schema/isFinite", payload: null },
    toJsonSchema: () => ({ type: "number", minimum: 0, maximum: maxPrice }),
    arbitraryConstraint: { number: "finite", order: Order.Number, minimum: 0, maximum: maxPrice }
  })
)

/** An amount with its currency, exact to the cent. Price feeds allow more decimals. Spec: Money. */
export const Money = Schema.Struct({ amount: Amount, currency: MarketCurrency }).annotate({
  title: "Money",
  description: "An amount in the currency's major unit, exact to the cent: 14.99 with USD is 14.99 US dollars."
})
export type Money = typeof Money.Type
