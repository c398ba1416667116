// Generated from the contract by: node test/sdk/writeWire.ts
import type { BlockMoney, GameFilter, OffsetPagination, PriceBlocks, TypeFilter } from "./shared.ts"

export interface ProductList {
  data: Array<Product>
  pagination: OffsetPagination
}

/** `productType` says which. */
export type Product = Card | SealedProduct

/** A sealed product. It has one price, with no split by finish. */
export interface SealedProduct {
  id: number
  gameId: string
  game: EmbeddedGame
  name: string
  nameSlug: string
  languages: Array<string>
  expansionId?: number | null
  expansion?: EmbeddedExpansion | null
  externalIds?: ExternalIds | null
  imageUrl?: string | null
  releaseDate?: string | null
  availability?: Availability | null
  productType: "sealed"
  productCategory: string
  prices: PriceBlocks
}

/** Listings that match the request's `listings` filter; only there when the request has one. */
export interface Availability {
  inStock: boolean
  listingCount: number
  cheapest: CheapestListing | null
}

/** The cheapest matching listing, compared by `priceEur`. */
export interface CheapestListing {
  listingId: string
  price: BlockMoney
  priceEur: BlockMoney
  quantity: number
  finish: string
  condition: string | null
  language: string | null
  seller: {
    id: string
    username: string
    country: string | null
    type: string | null
  }
}

/** Ids of the product in other systems. */
export interface ExternalIds {
  sourceEur?: Array<FinishId> | null
  sourceUsd?: Array<FinishId> | null
  mtgId?: string | null
  mtgOracleId?: string | null
  konamiStyleId?: string | null
  lorcanaId?: string | null
  fabId?: string | null
  riftboundId?: string | null
}

/** The id of a product at a price source, for one finish. */
export interface FinishId {
  finish: string
  id: number
}

/** The expansion of a product. */
export interface EmbeddedExpansion {
  id: number
  code: string | null
  name: string
  symbolUrl?: string | null
}

/** The game of a product. */
export interface EmbeddedGame {
  id: string
  name: string
}

/** A single card; `attributes` are those of its game. */
export interface Card {
  id: number
  gameId: string
  game: EmbeddedGame
  name: string
  nameSlug: string
  languages: Array<string>
  expansionId?: number | null
  expansion?: EmbeddedExpansion | null
  externalIds?: ExternalIds | null
  imageUrl?: string | null
  releaseDate?: string | null
  availability?: Availability | null
  productType: "card"
  finishes: Array<string>
  pricesByFinish: Record<string, PriceBlocks>
  attributes: Record<string, unknown>
  printNumber?: string | null
  variant?: string | null
  rarity?: string | null
  imageBackUrl?: string | null
}

/** All filters must hold. `limit` and `offset` in the query override those in the body. `sourceEur` and `sourceUsd` cannot be combined with `listings`. */
export interface SearchRequest {
  /** Items of a page. 1 to 200, default 50. */
  limit?: number | undefined
  /** Items to skip. Default 0. */
  offset?: number | undefined
  name?: string | undefined
  printNumber?: string | undefined
  nameSlug?: string | undefined
  productIds?: ReadonlyArray<number> | undefined
  expansionId?: ReadonlyArray<number> | undefined
  sourceEur?: ReadonlyArray<number> | undefined
  sourceUsd?: ReadonlyArray<number> | undefined
  productType?: TypeFilter | undefined
  productCategory?: string | undefined
  gameFilters?: GameFilter | undefined
  listings?: ListingFilter | undefined
  sortBy?: "printNumber" | "name" | "releaseDate" | undefined
  sortDirection?: "asc" | "desc" | undefined
}

/** Adds `availability` to every product, counting listings of these kinds. */
export interface ListingFilter {
  deliveryCountry?: string | undefined
  inStock?: boolean | undefined
  condition?: ReadonlyArray<string> | undefined
  language?: ReadonlyArray<string> | undefined
  finish?: ReadonlyArray<string> | undefined
}

/** An expansion of a game. Codes and slugs are no keys: use `id`. */
export interface Expansion {
  id: number
  gameId?: string | null
  slug?: string | null
  name: string
  code: string | null
  languages?: Array<string> | null
  releaseDate?: string | null
  cardCount?: number | null
  sealedProductCount?: number | null
  logoUrl?: string | null
  symbolUrl?: string | null
  attributes?: Record<string, unknown> | null
}

export interface ExpansionList {
  data: Array<Expansion>
  pagination: OffsetPagination
}

/** A trading-card game. */
export interface Game {
  id: string
  name: string
  releaseDate?: string | null
  cardCount?: number | null
  sealedProductCount?: number | null
  logoUrl?: string | null
}

export interface GameList {
  data: Array<Game>
}

/** Expansions of a game, newest release first: what can be asked for. */
export interface ExpansionsQuery {
  /** Items of a page. 1 to 200, default 50. */
  limit?: number | undefined
  /** Items to skip. Default 0. */
  offset?: number | undefined
}

/** All products: what can be asked for. */
export interface ProductsQuery {
  /** Items of a page. 1 to 200, default 50. */
  limit?: number | undefined
  /** Items to skip. Default 0. */
  offset?: number | undefined
}
