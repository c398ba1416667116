import type { MarketCurrency } from "../contract/Money.ts"

/** Cents of each currency per euro. The sandbox's rates are fixed. */
const centsPerEuro: Readonly<Record<MarketCurrency, number>> = { EUR: 100, USD: 110, GBP: 85, CAD: 150, CHF: 95 }

/** Converts cents to another currency, rounded to the nearest cent. */
export const convertCents = (cents: number, from: MarketCurrency, to: MarketCurrency): number =>
  from === to ? cents : Math.round((cents * centsPerEuro[to]) / centsPerEuro[from])

/** A common multiple of the rates. */
const commonMultiple = 1_065_900

/** Factors that make cents comparable across currencies as integers. */
export const comparableFactor: Readonly<Record<MarketCurrency, number>> = {
  EUR: commonMultiple / centsPerEuro.EUR,
  USD: commonMultiple / centsPerEuro.USD,
  GBP: commonMultiple / centsPerEuro.GBP,
  CAD: commonMultiple / centsPerEuro.CAD,
  CHF: commonMultiple / centsPerEuro.CHF
}
