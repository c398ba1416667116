import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type {
  PriceHistoryQuery,
  ProductListingsQuery,
  ProductsQuery,
  RecentSalesQuery,
  ResolveRequest,
  SearchRequest
} from "../wire.ts"

/** Cards and sealed products, what they cost and who offers them. Any key reads them. */
export const products = ({ call, list }: Caller) => ({
  /** All products. The live service has `search` alone. */
  list: (query?: ProductsQuery, options?: RequestOptions) => list("catalogue.products", { query }, options),
  /** Products that all filters hold for; with `listings`, each with what is for sale. */
  search: (search: SearchRequest, options?: RequestOptions) =>
    list("catalogue.searchProducts", { body: search }, options),
  /** A product by its id. */
  get: (productId: number, options?: RequestOptions) => call("catalogue.product", { path: { productId } }, options),
  /** Products by their ids at a price source, up to 200. */
  resolve: (ids: ResolveRequest, options?: RequestOptions) => call("prices.resolve", { body: ids }, options),
  /** Its present prices, by finish. */
  prices: (productId: number, options?: RequestOptions) => call("prices.prices", { path: { productId } }, options),
  /** Its daily prices, oldest day first. */
  priceHistory: (productId: number, query?: PriceHistoryQuery, options?: RequestOptions) =>
    call("prices.priceHistory", { path: { productId }, query }, options),
  /** Its sales of the last 30 days. */
  recentSales: (productId: number, query?: RecentSalesQuery, options?: RequestOptions) =>
    list("prices.recentSales", { path: { productId }, query }, options),
  /** Offers for it, cheapest first. */
  listings: (productId: number, query?: ProductListingsQuery, options?: RequestOptions) =>
    list("productListings.productListings", { path: { productId }, query }, options)
})
