// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, Country, CursorPagination, Graded, ListingSeller, Money, Photo } from "./shared.ts"

export interface ProductListingPage {
  data: Array<ProductListing>
  pagination: CursorPagination
}

/** One seller's offer for a product. `quantity` is the units for sale. */
export interface ProductListing {
  listingId: string
  price: Money
  quantity: number
  condition: Condition | null
  language: string | null
  finish: string
  graded: Graded | null
  comment: string | null
  seller: ListingSeller
  photos: Array<Photo>
}

/** Offers for a product, cheapest first: what can be asked for. */
export interface ProductListingsQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  condition?: ReadonlyArray<Condition> | undefined
  language?: ReadonlyArray<string> | undefined
  finish?: ReadonlyArray<string> | undefined
  region?: "eu" | "na" | undefined
  deliveryCountry?: Country | undefined
}
