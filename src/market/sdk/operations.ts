/** An operation of `/v1`. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  /** True if it accepts an `Idempotency-Key`, as writes do. */
  readonly isKeyed?: boolean
  /** True if it sends files instead of JSON. */
  readonly isForm?: boolean
  /** Pagination of its list. */
  readonly pages?: "cursor" | "offset"
}

/** Every operation by its id in `/openapi.json`. A test compares it with the contract. */
export const operations = {
  "catalogue.games": { method: "GET", path: "/v1/games" },
  "catalogue.game": { method: "GET", path: "/v1/games/{gameId}" },
  "catalogue.expansions": { method: "GET", path: "/v1/games/{gameId}/expansions", pages: "offset" },
  "catalogue.expansion": { method: "GET", path: "/v1/expansions/{expansionId}" },
  "catalogue.product": { method: "GET", path: "/v1/products/{productId}" },
  "catalogue.products": { method: "GET", path: "/v1/products", pages: "offset" },
  "catalogue.searchProducts": { method: "POST", path: "/v1/products/search", pages: "offset" },
  "feeds.changelog": { method: "GET", path: "/v1/feeds/{gameId}/changelog", pages: "cursor" },
  "account.me": { method: "GET", path: "/v1/account/me" },
  "account.balance": { method: "GET", path: "/v1/account/balance" },
  "account.vacation": { method: "GET", path: "/v1/account/vacation" },
  "account.setVacation": { method: "POST", path: "/v1/account/vacation", isKeyed: true },
  "prices.priceHistory": { method: "GET", path: "/v1/products/{productId}/prices/history" },
  "prices.prices": { method: "GET", path: "/v1/products/{productId}/prices" },
  "prices.recentSales": { method: "GET", path: "/v1/products/{productId}/sales", pages: "cursor" },
  "prices.resolve": { method: "POST", path: "/v1/products/resolve" },
  "feedFiles.feedFiles": { method: "GET", path: "/v1/feeds/{gameId}" },
  "feedFiles.catalogFeed": { method: "GET", path: "/v1/feeds/{gameId}/catalog" },
  "feedFiles.expansionsFeed": { method: "GET", path: "/v1/feeds/{gameId}/expansions" },
  "feedFiles.pricesFeed": { method: "GET", path: "/v1/feeds/{gameId}/prices" },
  "inventory.lines": { method: "GET", path: "/v1/inventory", pages: "cursor" },
  "inventory.createLines": { method: "POST", path: "/v1/inventory", isKeyed: true },
  "inventory.searchLines": { method: "POST", path: "/v1/inventory/search", pages: "offset" },
  "inventory.line": { method: "GET", path: "/v1/inventory/{inventoryId}" },
  "inventory.changeLine": { method: "PATCH", path: "/v1/inventory/{inventoryId}", isKeyed: true },
  "inventory.deleteLine": { method: "DELETE", path: "/v1/inventory/{inventoryId}", isKeyed: true },
  "inventory.setPhotos": { method: "PUT", path: "/v1/inventory/{inventoryId}/media", isForm: true },
  "listings.listings": { method: "GET", path: "/v1/listings", pages: "cursor" },
  "listings.list": { method: "POST", path: "/v1/inventory/{inventoryId}/listing", isKeyed: true },
  "listings.reprice": { method: "PATCH", path: "/v1/inventory/{inventoryId}/listing", isKeyed: true },
  "listings.unlist": { method: "DELETE", path: "/v1/inventory/{inventoryId}/listing", isKeyed: true },
  "labels.tags": { method: "GET", path: "/v1/inventory/tags" },
  "labels.createTag": { method: "POST", path: "/v1/inventory/tags", isKeyed: true },
  "labels.changeTag": { method: "PATCH", path: "/v1/inventory/tags/{name}", isKeyed: true },
  "labels.deleteTag": { method: "DELETE", path: "/v1/inventory/tags/{name}", isKeyed: true },
  "labels.locations": { method: "GET", path: "/v1/inventory/locations" },
  "labels.createLocation": { method: "POST", path: "/v1/inventory/locations", isKeyed: true },
  "labels.changeLocation": { method: "PATCH", path: "/v1/inventory/locations/{name}", isKeyed: true },
  "labels.deleteLocation": { method: "DELETE", path: "/v1/inventory/locations/{name}", isKeyed: true },
  "jobs.import": { method: "POST", path: "/v1/inventory/bulk/import", isKeyed: true, isForm: true },
  "jobs.importPreset": { method: "POST", path: "/v1/inventory/bulk/import/{preset}", isKeyed: true, isForm: true },
  "jobs.export": { method: "POST", path: "/v1/inventory/bulk/export", isKeyed: true },
  "jobs.update": { method: "POST", path: "/v1/inventory/bulk/update", isKeyed: true },
  "jobs.job": { method: "GET", path: "/v1/inventory/bulk/jobs/{jobId}" },
  "productListings.productListings": { method: "GET", path: "/v1/products/{productId}/listings", pages: "cursor" },
  "cart.cart": { method: "GET", path: "/v1/cart" },
  "cart.emptyCart": { method: "DELETE", path: "/v1/cart", isKeyed: true },
  "cart.addItems": { method: "POST", path: "/v1/cart/items", isKeyed: true },
  "cart.changeItem": { method: "PATCH", path: "/v1/cart/items/{listingId}", isKeyed: true },
  "cart.removeItem": { method: "DELETE", path: "/v1/cart/items/{listingId}", isKeyed: true },
  "sales.sales": { method: "GET", path: "/v1/sales", pages: "cursor" },
  "sales.sale": { method: "GET", path: "/v1/sales/{orderNumber}" },
  "sales.markShipped": { method: "POST", path: "/v1/sales/{orderNumber}/mark-shipped", isKeyed: true },
  "sales.cancelSale": { method: "POST", path: "/v1/sales/{orderNumber}/cancel", isKeyed: true },
  "sales.refundSale": { method: "POST", path: "/v1/sales/{orderNumber}/refunds", isKeyed: true },
  "sales.changeMetadata": { method: "PATCH", path: "/v1/sales/{orderNumber}/metadata", isKeyed: true },
  "purchases.purchases": { method: "GET", path: "/v1/purchases", pages: "cursor" },
  "purchases.purchase": { method: "GET", path: "/v1/purchases/{orderNumber}" }
} as const satisfies Readonly<Record<string, Operation>>
