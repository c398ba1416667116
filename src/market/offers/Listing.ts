import type { Condition } from "../contract/inventory/Graded.ts"
import type { MarketCurrency } from "../contract/Money.ts"

/** The region of a listing is that of its seller. */
export type Region = "eu" | "na"

export const regionCurrency: Readonly<Record<Region, MarketCurrency>> = { eu: "EUR", na: "USD" }

/** What a listing is besides its product and price; graded copies have no condition. */
export interface Kind {
  readonly finish: string
  readonly region: Region
  readonly condition: Condition | null
  readonly language: string | null
  readonly isGraded: boolean
}

/** A listing that can be bought, as far as the live block counts it. */
export interface Listing extends Kind {
  readonly currency: MarketCurrency
  readonly cents: number
  readonly quantity: number
}
