import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import { isSameItem } from "../cents.ts"
import type {
  InventoryLine,
  PriceHistoryQuery,
  ProductListing,
  ProductListingsQuery,
  ProductsQuery,
  RecentSalesQuery,
  ResolveRequest,
  SearchRequest
} from "../wire.ts"

/** Cards and sealed products with their prices and listings. Any key can read them. */
export const products = ({ call, list }: Caller) => ({
  /** All products. The live service only has `search`. */
  list: (query?: ProductsQuery, options?: RequestOptions) => list("catalogue.products", { query }, options),
  /** Products that match all filters; with `listings`, each with its availability. */
  search: (search: SearchRequest, options?: RequestOptions) =>
    list("catalogue.searchProducts", { body: search }, options),
  /** A product by its id. */
  get: (productId: number, options?: RequestOptions) => call("catalogue.product", { path: { productId } }, options),
  /** Products by their ids at a price source, up to 200. */
  resolve: (ids: ResolveRequest, options?: RequestOptions) => call("prices.resolve", { body: ids }, options),
  /** A product's current prices by finish. */
  prices: (productId: number, options?: RequestOptions) => call("prices.prices", { path: { productId } }, options),
  /** A product's daily prices, oldest day first. */
  priceHistory: (productId: number, query?: PriceHistoryQuery, options?: RequestOptions) =>
    call("prices.priceHistory", { path: { productId }, query }, options),
  /** A product's sales of the last 30 days. */
  recentSales: (productId: number, query?: RecentSalesQuery, options?: RequestOptions) =>
    list("prices.recentSales", { path: { productId }, query }, options),
  /** A product's listings, cheapest first. */
  listings: (productId: number, query?: ProductListingsQuery, options?: RequestOptions) =>
    list("productListings.productListings", { path: { productId }, query }, options),
  /** Other sellers' listings of what a line has, cheapest first. `sellerId` is your own, the `id` of `account.me()`. */
  otherListings: async function* (
    line: InventoryLine,
    { sellerId, ...query }: ProductListingsQuery & { readonly sellerId: string | null | undefined },
    options?: RequestOptions
  ): AsyncGenerator<ProductListing> {
    const path = { productId: line.productId }
    const exact = { ...query, finish: [line.finish], language: line.language === null ? undefined : [line.language] }
    for await (const listing of list("productListings.productListings", { path, query: exact }, options)) {
      if (listing.seller.id !== sellerId && isSameItem(line, listing)) yield listing
    }
  }
})
