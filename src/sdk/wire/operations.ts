// Generated from the contract by: node test/sdk/writeWire.ts
import type { Upload } from "../Upload.ts"
import type { Account, Balance, Vacation, VacationRequest } from "./account.ts"
import type { AddToCart, AddedToCart, Cart, CartQuantity } from "./cart.ts"
import type { Expansion, ExpansionList, ExpansionsQuery, Game, GameList, Product, ProductList, ProductsQuery, SearchRequest } from "./catalogue.ts"
import type { FeedFile, FeedFiles } from "./feedFiles.ts"
import type { ChangelogEntryPage, ChangelogQuery } from "./feeds.ts"
import type { CreateLines, CreatedLines, InventoryLineList, InventorySearch, LineChange, LinesQuery } from "./inventory.ts"
import type { BulkUpdate, ExportRequest, JobAnswer, UpdateResults } from "./jobs.ts"
import type { Label, LabelChange, NewLabel } from "./labels.ts"
import type { ListLine, ListingsQuery, RepriceLine, UnlistLine } from "./listings.ts"
import type { PriceHistory, PriceHistoryQuery, ProductPrices, RecentSalePage, RecentSalesQuery, ResolveRequest, Resolved } from "./prices.ts"
import type { ProductListingPage, ProductListingsQuery } from "./productListings.ts"
import type { PurchaseDetail, PurchasePage, PurchasesQuery } from "./purchases.ts"
import type { CancelSale, ChangeMetadata, MarkShipped, RefundRequest, SaleDetail, SalePage, SalesQuery } from "./sales.ts"
import type { Deleted } from "./shared.ts"
import type { ChangedLine, InventoryLine, InventoryLinePage } from "./stock.ts"

/** An operation of `/v1`. */
export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly path: string
  /** Takes an `Idempotency-Key`: it writes. */
  readonly isKeyed?: boolean
  /** Sends files instead of JSON. */
  readonly isForm?: boolean
  /** How its list goes on. */
  readonly pages?: "cursor" | "offset"
}

/** Every operation, by its id in `/openapi.json`. */
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

/** What each operation is sent, and what it answers. */
export interface Operations {
  "catalogue.games": { answer: GameList }
  "catalogue.game": { path: { gameId: string }; answer: Game }
  "catalogue.expansions": { path: { gameId: string }; query?: ExpansionsQuery | undefined; answer: ExpansionList }
  "catalogue.expansion": { path: { expansionId: number }; answer: Expansion }
  "catalogue.product": { path: { productId: number }; answer: Product }
  "catalogue.products": { query?: ProductsQuery | undefined; answer: ProductList }
  "catalogue.searchProducts": { body: SearchRequest; answer: ProductList }
  "feeds.changelog": { path: { gameId: string }; query?: ChangelogQuery | undefined; answer: ChangelogEntryPage }
  "account.me": { answer: Account }
  "account.balance": { answer: Balance }
  "account.vacation": { answer: Vacation }
  "account.setVacation": { body: VacationRequest; answer: Vacation }
  "prices.priceHistory": { path: { productId: number }; query?: PriceHistoryQuery | undefined; answer: PriceHistory }
  "prices.prices": { path: { productId: number }; answer: ProductPrices }
  "prices.recentSales": { path: { productId: number }; query?: RecentSalesQuery | undefined; answer: RecentSalePage }
  "prices.resolve": { body: ResolveRequest; answer: Resolved }
  "feedFiles.feedFiles": { path: { gameId: string }; answer: FeedFiles }
  "feedFiles.catalogFeed": { path: { gameId: string }; answer: FeedFile }
  "feedFiles.expansionsFeed": { path: { gameId: string }; answer: FeedFile }
  "feedFiles.pricesFeed": { path: { gameId: string }; answer: FeedFile }
  "inventory.lines": { query?: LinesQuery | undefined; answer: InventoryLinePage }
  "inventory.createLines": { body: CreateLines; answer: CreatedLines }
  "inventory.searchLines": { body: InventorySearch; answer: InventoryLineList }
  "inventory.line": { path: { inventoryId: string }; answer: InventoryLine }
  "inventory.changeLine": { path: { inventoryId: string }; body: LineChange; answer: ChangedLine }
  "inventory.deleteLine": { path: { inventoryId: string }; body?: Record<string, unknown> | undefined; answer: Deleted }
  "inventory.setPhotos": { path: { inventoryId: string }; body: { files: ReadonlyArray<Upload>; }; answer: InventoryLine }
  "listings.listings": { query?: ListingsQuery | undefined; answer: InventoryLinePage }
  "listings.list": { path: { inventoryId: string }; body: ListLine; answer: ChangedLine }
  "listings.reprice": { path: { inventoryId: string }; body: RepriceLine; answer: InventoryLine }
  "listings.unlist": { path: { inventoryId: string }; body?: UnlistLine | undefined; answer: InventoryLine }
  "labels.tags": { answer: Array<Label> }
  "labels.createTag": { body: NewLabel; answer: Label }
  "labels.changeTag": { path: { name: string }; body: LabelChange; answer: Label }
  "labels.deleteTag": { path: { name: string }; body?: Record<string, unknown> | undefined; answer: Deleted }
  "labels.locations": { answer: Array<Label> }
  "labels.createLocation": { body: NewLabel; answer: Label }
  "labels.changeLocation": { path: { name: string }; body: LabelChange; answer: Label }
  "labels.deleteLocation": { path: { name: string }; body?: Record<string, unknown> | undefined; answer: Deleted }
  "jobs.import": { body: { file: Upload; mode?: "upsert" | "replace" | undefined; format?: "json" | "csv" | undefined; }; answer: JobAnswer }
  "jobs.importPreset": { path: { preset: "sourceEur" | "sourceUsd" | "powertools" | (string & {}) }; body: { file: Upload; mode?: "upsert" | "replace" | undefined; }; answer: JobAnswer }
  "jobs.export": { body: ExportRequest; answer: JobAnswer }
  "jobs.update": { body: BulkUpdate; answer: UpdateResults }
  "jobs.job": { path: { jobId: string }; answer: JobAnswer }
  "productListings.productListings": { path: { productId: number }; query?: ProductListingsQuery | undefined; answer: ProductListingPage }
  "cart.cart": { answer: Cart }
  "cart.emptyCart": { body?: Record<string, unknown> | undefined; answer: Cart }
  "cart.addItems": { body: AddToCart; answer: AddedToCart }
  "cart.changeItem": { path: { listingId: string }; body: CartQuantity; answer: Cart }
  "cart.removeItem": { path: { listingId: string }; body?: Record<string, unknown> | undefined; answer: Cart }
  "sales.sales": { query?: SalesQuery | undefined; answer: SalePage }
  "sales.sale": { path: { orderNumber: string }; answer: SaleDetail }
  "sales.markShipped": { path: { orderNumber: string }; body: MarkShipped; answer: SaleDetail }
  "sales.cancelSale": { path: { orderNumber: string }; body: CancelSale; answer: SaleDetail }
  "sales.refundSale": { path: { orderNumber: string }; body: RefundRequest; answer: SaleDetail }
  "sales.changeMetadata": { path: { orderNumber: string }; body: ChangeMetadata; answer: SaleDetail }
  "purchases.purchases": { query?: PurchasesQuery | undefined; answer: PurchasePage }
  "purchases.purchase": { path: { orderNumber: string }; answer: PurchaseDetail }
}
