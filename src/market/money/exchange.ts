import type { MarketCurrency } from "../contract/Money.ts"

/** Cents of each currency for a euro. The sandbox's rates stay as they are. */
const centsPerEuro: Readonly<Record<MarketCurrency, number>> = { EUR: 100, USD: 110, GBP: 85, CAD: 150, CHF: 95 }

/** Cents in another currency, to the nearest whole one. */
export const convertCents = (cents: number, from: MarketCurrency, to: MarketCurrency): number =>
  from === to ? cents : Math.round((cents * centsPerEuro[to]) / centsPerEuro[from])

/** Divided by each rate without a rest. */
const commonMultiple = 1_065_900

/** Cents times this compare across currencies, and stay whole numbers. */
export const comparableFactor: Readonly<Record<MarketCurrency, number>> = {
  EUR: commonMultiple / centsPerEuro.EUR,
  USD: commonMultiple / centsPerEuro.USD,
  GBP: commonMultiple / centsPerEuro.GBP,
  CAD: commonMultiple / centsPerEuro.CAD,
  CHF: commonMultiple / centsPerEuro.CHF
}
