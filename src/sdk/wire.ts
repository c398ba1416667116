// Generated from the contract by: node .ci/wire/write.ts
import type { Upload } from "./Upload.ts"

/** An export ended. `expiresAt` is when its link stops working, after an hour. */
export interface ExportCompleted {
  type: "inventory.export.completed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    jobId: string
    status: "completed" | "failed"
    downloadUrl: string | null
    /** ISO 8601, UTC. */
    expiresAt: string | null
  }
}

/** An import ended. A failed one has zero counts and no link; a link works for an hour. */
export interface ImportCompleted {
  type: "inventory.import.completed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    jobId: string
    status: "completed" | "failed"
    counts: JobCounts
    errorReportUrl: string | null
  }
}

/** Rows of the file. */
export interface JobCounts {
  total: number
  succeeded: number
  failed: number
}

/** Quantities of lines changed. More than 500 lines come as several events. */
export interface QuantityChanged {
  type: "inventory.quantity.changed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    reason: "order" | "order_cancelled" | "import" | "edit" | "listing"
    changes: Array<ChangedQuantity>
  }
}

/** One line whose quantity changed, with the units before and after. */
export interface ChangedQuantity {
  inventoryId: string
  customId: string | null
  productId: number
  before: number
  after: number
}

/** The seller's money moved. */
export interface BalanceUpdated {
  type: "balance.updated"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    available: Money
    pending: Money
    /** ISO 8601, UTC. */
    updatedAt: string
  }
}

/** An amount in the currency's major unit, exact to the cent: 14.99 with USD is 14.99 US dollars. */
export interface Money {
  amount: number
  currency: MarketCurrency
}

/** ISO 4217. The marketplace sells in these. */
export type MarketCurrency = "USD" | "EUR" | "GBP" | "CAD" | "CHF"

/** A message about an order came, told without its text. */
export interface MessageReceived {
  type: "message.received"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  data: {
    threadId: string
    messageId: string
    context: {
      type: "order"
      orderNumber: string
      scope: "main" | "support"
      yourRole: "buyer" | "seller"
    }
    sender: {
      username: string
    }
    /** ISO 8601, UTC. */
    sentAt: string
    hasAttachments: boolean
  }
}

/** An order got another status. `metadata` is in the seller's copy only. */
export interface OrderStatusChanged {
  type: "order.status.changed"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  recipientRole: "buyer" | "seller"
  data: {
    orderNumber: string
    status: OrderStatus
    previousStatus: OrderStatus | null
    /** ISO 8601, UTC. */
    changedAt: string
    reason: string | null
    metadata: Metadata | null
  }
}

/** The seller's own pairs, at most 50; the buyer never sees them. */
export type Metadata = Record<string, string>

/** `cancelled_...`, `resolved_...` and `completed` are final. */
export type OrderStatus = "pending_shipment" | "cancellation_requested" | "shipped" | "delivered" | "dispute_open" | "dispute_escalated" | "completed" | "cancelled_buyer" | "cancelled_seller" | "cancelled_auto" | "resolved_full_refund" | "resolved_partial_refund" | "resolved_no_refund" | "resolved_return" | "resolved_goodwill_refund"

/** An order was placed. Each side gets its own copy; `inventoryId` and `customId` are in the seller's. */
export interface OrderCreated {
  type: "order.created"
  eventId: string
  /** ISO 8601, UTC. */
  timestamp: string
  recipientRole: "buyer" | "seller"
  data: {
    orderNumber: string
    status: "pending_payment" | "pending_shipment" | "shipped" | "delivered" | "completed" | "cancelled"
    currency: MarketCurrency
    totalAmount: Money
    itemCount: number
    items: Array<{
      productId: number | null
      name: string
      quantity: number
      unitPrice: Money
      inventoryId?: string
      customId?: string | null
    }>
    counterparty: {
      username: string
      country?: string
    }
    /** ISO 8601, UTC. */
    createdAt: string
  }
}

/** A purchase with its address and parcel. `shipping`, `refund` and `cancellation` are null until there is one. */
export interface PurchaseDetail {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<OrderItem>
  subtotal: Money
  shippingAmount: Money
  buyerFee: Money
  tax: Money
  total: Money
  seller: OrderParty
  shippingAddress: ShippingAddress
  shipping: Shipping | null
  refund: Refund | null
  cancellation: Cancellation | null
}

/** Who cancelled an order and why; `system` is the service itself. */
export interface Cancellation {
  /** ISO 8601, UTC. */
  cancelledAt: string
  cancelledBy: "buyer" | "seller" | "system"
  reason: string
  reasonText: string | null
}

/** Money returned; `refundedAt` is null while it is on its way. */
export interface Refund {
  amount: Money
  /** ISO 8601, UTC. */
  refundedAt: string | null
}

/** The parcel. `status` is the latest scan, null before the first; `history` is oldest first. */
export interface Shipping {
  trackingNumber: string | null
  carrier: string | null
  trackingUrl: string | null
  status: string | null
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  history: Array<TrackingScan> | null
}

/** One scan of a carrier. */
export interface TrackingScan {
  status: string
  /** ISO 8601, UTC. */
  occurredAt: string
  location: string | null
  description: string | null
}

/** Where an order goes. */
export interface ShippingAddress {
  recipientName: string
  line1: string
  line2: string | null
  city: string
  state: string | null
  postalCode: string
  countryCode: Country
  phone: string | null
}

/** ISO 3166-1 alpha-2. */
export type Country = string

/** The other side of an order. `reliability` is null for a buyer, and with too few recent orders. */
export interface OrderParty {
  id: string
  username: string
  avatarUrl: string | null
  country: Country | null
  type: SellerType | null
  rating: Rating
  reliability: Reliability | null
}

/** How a seller handled recent orders. `completionRate` is a fraction from 0 to 1; `avgShipTimeHours` is in hours. */
export interface Reliability {
  orderCount: number
  completedCount: number
  /** 0 to 1. */
  completionRate: number | null
  avgShipTimeHours: number | null
}

/** `average` of 1 to 5, null without reviews; `count` of reviews. */
export interface Rating {
  average: number | null
  count: number
}

/** `pro`: a registered company; `individual`: a private person. */
export type SellerType = "pro" | "individual"

/** What was bought, as it was when it was sold. `condition` is null when graded or sealed. */
export interface OrderItem {
  productId: number | null
  productName: string
  imageUrl: string | null
  condition: Condition | null
  language: string
  finish: string
  graded: Graded | null
  quantity: number
  unitPrice: Money
  lineTotal: Money
}

/** A card in a slab; null for raw cards and sealed products. */
export interface Graded {
  gradingService: string
  grade: string
  certification: string | null
}

/** Near Mint, Lightly Played, Moderately Played, Heavily Played, Damaged. */
export type Condition = "NM" | "LP" | "MP" | "HP" | "DMG"

export interface PurchasePage {
  data: Array<Purchase>
  pagination: CursorPagination
}

/** `nextCursor` is null on the last page. */
export interface CursorPagination {
  nextCursor: string | null
}

/** An order as its buyer sees it, in the currency paid. `total` includes shipping, tax and the buyer's fee. */
export interface Purchase {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<OrderItem>
  subtotal: Money
  shippingAmount: Money
  buyerFee: Money
  tax: Money
  total: Money
  seller: OrderParty
}

/** A sale with its parcel. `shipping` is null before it is shipped, `cancellation` unless it was cancelled. */
export interface SaleDetail {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<SaleItem>
  subtotal: Money
  shippingAmount: Money
  sellerFee: SellerFee
  payout: Payout
  refunded: Money
  buyer: OrderParty
  shippingAddress: ShippingAddress
  metadata: Metadata
  shipping: Shipping | null
  cancellation: Cancellation | null
}

/** What the seller receives; `amount` is null until it is calculated. */
export interface Payout {
  amount: Money | null
  /** ISO 8601, UTC. */
  eligibleAt: string | null
  /** ISO 8601, UTC. */
  paidOutAt: string | null
}

/** `percentage`: 5 means 5 %. */
export interface SellerFee {
  percentage: number
  amount: Money
}

/** What was sold, with the inventory line it came from. */
export interface SaleItem {
  productId: number | null
  productName: string
  imageUrl: string | null
  condition: Condition | null
  language: string
  finish: string
  graded: Graded | null
  quantity: number
  unitPrice: Money
  lineTotal: Money
  inventoryId: string
  customId: string | null
}

export interface ChangeMetadata {
  metadata: MetadataChange
}

/** Pairs to merge; null removes a key. */
export type MetadataChange = Record<string, string | null>

/** Part of what the buyer paid, in the sale's currency, with at most two decimals. */
export interface RefundRequest {
  amount: number
}

/** Why the seller cancels. */
export interface CancelSale {
  reason: "item_unavailable" | "item_damaged" | "pricing_error" | "seller_other"
  reasonText: string
}

/** A tracked service needs a `trackingNumber`; an untracked one does not. `metadata` is merged. */
export interface MarkShipped {
  trackingNumber?: string | undefined
  trackingUrl?: string | undefined
  metadata?: Metadata | undefined
}

export interface SalePage {
  data: Array<Sale>
  pagination: CursorPagination
}

/** An order as its seller sees it. Every amount is in the seller's selling currency. */
export interface Sale {
  orderNumber: string
  status: OrderStatus
  /** ISO 8601, UTC. */
  placedAt: string
  /** ISO 8601, UTC. */
  updatedAt: string
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  /** ISO 8601, UTC. */
  completedAt: string | null
  currency: MarketCurrency
  items: Array<SaleItem>
  subtotal: Money
  shippingAmount: Money
  sellerFee: SellerFee
  payout: Payout
  refunded: Money
  buyer: OrderParty
  shippingAddress: ShippingAddress
  metadata: Metadata
}

/** Listings of one region. `deliveryCountry` is null while the cart is empty. */
export interface Cart {
  deliveryCountry: Country | null
  itemCount: number
  sellers: Array<CartSeller>
}

export interface CartSeller {
  seller: ListingSeller
  itemsSubtotal: Money
  items: Array<CartItem>
}

/** What is in the cart of one listing. Nothing is reserved. */
export interface CartItem {
  listingId: string
  productId: number
  productName: string
  imageUrl: string | null
  condition: Condition | null
  language: string | null
  finish: string
  graded: Graded | null
  quantity: number
  unitPrice: Money
  lineTotal: Money
  /** ISO 8601, UTC. */
  addedAt: string
}

/** Who sells. `shipping` is the price to the delivery country, null without one. */
export interface ListingSeller {
  id: string
  username: string
  country: Country
  type: SellerType
  rating: Rating
  shipping: Money | null
}

/** Replaces the quantity; 0 removes the item. */
export interface CartQuantity {
  quantity: number
}

/** The cart after the call, and what did not get into it; `index` counts the request's items from 0. */
export interface AddedToCart {
  cart: Cart
  errors: Array<CartError>
}

export interface CartError {
  index: number
  listingId: string
  code: "LISTING_NOT_FOUND" | "OWN_LISTING" | "INSUFFICIENT_QUANTITY" | "QUANTITY_LIMIT_EXCEEDED" | "REGION_MISMATCH" | "SELLER_DOES_NOT_SHIP_TO_COUNTRY" | "SELLER_UNAVAILABLE" | "BUYER_EXCLUDED"
  data: Record<string, unknown>
}

/** Listings to add. Another delivery country switches the cart to it. */
export interface AddToCart {
  deliveryCountry: Country
  items: ReadonlyArray<CartAddition>
}

export interface CartAddition {
  listingId: string
  quantity: number
}

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

/** A picture of the very card; sizes in pixels. */
export interface Photo {
  url: string
  width: number
  height: number
}

export interface JobAnswer {
  job: Job
}

/** An import or export. `progress` is in percent, `counts` are null until it is processing; links work for 15 minutes, files are deleted at `expiresAt`. */
export interface Job {
  id: string
  kind: "import" | "export"
  status: "pending" | "processing" | "completed" | "failed"
  format: "json" | "csv"
  mode: "upsert" | "replace" | null
  counts: JobCounts | null
  /** 0 to 100. */
  progress: number | null
  errorMessage: string | null
  downloadUrl: string | null
  errorReportUrl: string | null
  /** ISO 8601, UTC. */
  expiresAt: string | null
  /** ISO 8601, UTC. */
  createdAt: string
}

/** What became of each item, in the order of the request. */
export interface UpdateResults {
  results: Array<UpdatedLine | UpdateError>
}

export interface UpdateError {
  index: number
  status: "error"
  code: "NOT_FOUND" | "INSUFFICIENT_QUANTITY" | "INVALID_COUNT" | "INVALID_ITEM" | "LOCATION_NOT_FOUND" | "TAG_NOT_FOUND"
  data: Record<string, unknown>
}

export interface UpdatedLine {
  index: number
  status: "ok"
  inventoryId: string
}

/** Up to 200 changes; those that can be made are made together. */
export interface BulkUpdate {
  items: ReadonlyArray<UpdateItem>
}

/** A change of one line, found by `inventoryId`, or else by `customId`. */
export interface UpdateItem {
  quantity?: QuantityChange | undefined
  count?: number | undefined
  finish?: string | undefined
  condition?: Condition | null | undefined
  language?: string | null | undefined
  graded?: GradedRequest | null | undefined
  customId?: string | null | undefined
  comment?: string | null | undefined
  notes?: string | null | undefined
  location?: string | null | undefined
  tags?: TagChange | undefined
  photos?: ReadonlyArray<string> | undefined
  inventoryId?: string | undefined
}

export interface TagChange {
  set?: ReadonlyArray<string> | undefined
  add?: ReadonlyArray<string> | undefined
  remove?: ReadonlyArray<string> | undefined
}

/** A slab, graded by one of the companies that the marketplace takes. */
export interface GradedRequest {
  gradingService: "PSA" | "BGS" | "CGC" | "SGC" | "ACE" | "TAG" | "AGS" | "GMA" | "HGA" | "PCA" | "CCC"
  grade: string
  certification?: string | null | undefined
}

/** `set` the number of units, or `adjust` it by a number. */
export type QuantityChange = {
  set: number
} | {
  adjust: number
}

/** Without filters, all lines are exported. */
export interface ExportRequest {
  format: "json" | "csv"
  filters?: InventoryFilters | undefined
}

/** Filters of products and lines together; all of them must hold. */
export interface InventoryFilters {
  name?: string | undefined
  printNumber?: string | undefined
  nameSlug?: string | undefined
  productIds?: ReadonlyArray<number> | undefined
  expansionId?: ReadonlyArray<number> | undefined
  productType?: TypeFilter | undefined
  productCategory?: string | undefined
  gameFilters?: GameFilter | undefined
  game?: string | undefined
  productId?: ReadonlyArray<number> | undefined
  forSale?: boolean | undefined
  condition?: ReadonlyArray<Condition> | undefined
  language?: ReadonlyArray<string> | undefined
  finish?: ReadonlyArray<string> | undefined
  graded?: boolean | undefined
  customId?: string | undefined
  customIdPrefix?: string | undefined
  customIdContains?: string | undefined
  commentContains?: string | undefined
  quantity?: Range | undefined
  listingPrice?: Range | undefined
  location?: NameFilter | undefined
  tags?: NameFilter | undefined
}

/** Any of the names (`or`) or all of them (`and`); null means a line without one. */
export interface NameFilter {
  op: "and" | "or"
  values: ReadonlyArray<string | null>
}

/** From `min` to `max`, both included; without one of them, the range is open there. */
export interface Range {
  min?: number | null | undefined
  max?: number | null | undefined
}

/** Only this game; `filters` by attribute. */
export interface GameFilter {
  game: string
  filters?: Record<string, AttributeFilter> | undefined
}

/** `{op, values}`, `{op, value}` with `=`, `>` or `<`, `{min, max}`, or `{value}`. */
export interface AttributeFilter {
  op?: "and" | "or" | "=" | ">" | "<" | undefined
  value?: string | number | boolean | null | undefined
  values?: ReadonlyArray<string | number | boolean | null> | undefined
  min?: number | null | undefined
  max?: number | null | undefined
}

export interface TypeFilter {
  op: "and" | "or"
  values: ReadonlyArray<"card" | "sealed">
}

export interface Deleted {
  deleted: boolean
}

/** A tag or a location, known by its name; names are compared without case. */
export interface Label {
  name: string
  color: string | null
  icon: string | null
}

/** A new name follows on every line. */
export interface LabelChange {
  name?: string | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
}

/** A new tag or location; with `upsert`, one that exists is changed instead. */
export interface NewLabel {
  name: string
  color?: string | null | undefined
  icon?: string | null | undefined
  upsert?: boolean | undefined
}

/** A line of the stock. Its `id` can vanish when equal lines merge. */
export interface InventoryLine {
  id: string
  customId: string | null
  comment: string | null
  notes: string | null
  location: string | null
  tags: Array<string>
  productId: number
  game: string
  finish: string
  condition: Condition | null
  language: string | null
  quantity: number
  graded: Graded | null
  forSale: boolean
  listing: LineListing | null
  photos: Array<Photo>
  /** ISO 8601, UTC. */
  updatedAt: string
}

export interface LineListing {
  price: Money
}

export interface UnlistLine {
  quantity?: number | undefined
}

/** A new price of a line that is for sale. */
export interface RepriceLine {
  price: Money
}

/** The changed line; after a split, also the part that stayed as it was. */
export interface ChangedLine {
  line: InventoryLine
  remainder: InventoryLine | null
}

/** Puts a line up for sale, or `quantity` of its units, which then become a line of their own. */
export interface ListLine {
  price: Money
  quantity?: number | undefined
}

export interface InventoryLinePage {
  data: Array<InventoryLine>
  pagination: CursorPagination
}

/** An absent key leaves the field; an unknown one is refused. `count` changes only that many units: it splits the line. */
export interface LineChange {
  quantity?: QuantityChange | undefined
  count?: number | undefined
  finish?: string | undefined
  condition?: Condition | null | undefined
  language?: string | null | undefined
  graded?: GradedRequest | null | undefined
  customId?: string | null | undefined
  comment?: string | null | undefined
  notes?: string | null | undefined
  location?: string | null | undefined
  tags?: TagChange | undefined
  photos?: ReadonlyArray<string> | undefined
}

export interface InventoryLineList {
  data: Array<InventoryLine>
  pagination: OffsetPagination
}

/** `offset` and `limit` as asked for; `total` counts the filtered set; `hasMore`: there are items beyond this page. */
export interface OffsetPagination {
  offset: number
  limit: number
  total: number
  hasMore: boolean
}

/** All filters must hold. The answer may lag the list by seconds. `offset` may not pass 10,000. */
export interface InventorySearch {
  name?: string | undefined
  printNumber?: string | undefined
  nameSlug?: string | undefined
  productIds?: ReadonlyArray<number> | undefined
  expansionId?: ReadonlyArray<number> | undefined
  productType?: TypeFilter | undefined
  productCategory?: string | undefined
  gameFilters?: GameFilter | undefined
  game?: string | undefined
  productId?: ReadonlyArray<number> | undefined
  forSale?: boolean | undefined
  condition?: ReadonlyArray<Condition> | undefined
  language?: ReadonlyArray<string> | undefined
  finish?: ReadonlyArray<string> | undefined
  graded?: boolean | undefined
  customId?: string | undefined
  customIdPrefix?: string | undefined
  customIdContains?: string | undefined
  commentContains?: string | undefined
  quantity?: Range | undefined
  listingPrice?: Range | undefined
  location?: NameFilter | undefined
  tags?: NameFilter | undefined
  /** Items of a page. 1 to 200, default 50. */
  limit?: number | undefined
  /** Items to skip. Default 0. */
  offset?: number | undefined
}

/** 200 even if every line failed. `index` counts the request's lines from 0. */
export interface CreatedLines {
  created: Array<InventoryLine>
  errors: Array<LineError>
}

export interface LineError {
  index: number
  code: "PRODUCT_NOT_FOUND" | "INVALID_LANGUAGE" | "INVALID_FINISH" | "INVALID_QUANTITY" | "CONDITION_REQUIRED" | "INVALID_IDENTITY" | "CUSTOM_ID_CONFLICT" | "LOCATION_NOT_FOUND" | "TAG_NOT_FOUND"
  data: Record<string, unknown>
}

/** Up to 1,000 lines; what is wrong with a single one is in the answer's `errors`. */
export interface CreateLines {
  lines: ReadonlyArray<NewLine>
}

/** A new line. One that equals a line without `customId` merges into it. */
export interface NewLine {
  productId: number
  finish: string
  language?: string | null | undefined
  quantity: number
  condition?: Condition | null | undefined
  graded?: GradedRequest | null | undefined
  customId?: string | null | undefined
  comment?: string | null | undefined
  notes?: string | null | undefined
  location?: string | null | undefined
  tags?: ReadonlyArray<string> | undefined
  listing?: LineListing | null | undefined
}

/** A feed file. `url` is asked for without the key until `urlExpiresAt`; `checksum` is the SHA-256 of the unpacked bytes, `sizeBytes` the size of the gzip file. */
export interface FeedFile {
  feedType: "catalog" | "expansions" | "prices"
  url: string
  /** ISO 8601, UTC. */
  urlExpiresAt: string
  checksum: string
  sizeBytes: number
  recordCount: number
  format: "ndjson"
  encoding: "gzip"
  /** ISO 8601, UTC. */
  lastRefreshedAt: string
  /** ISO 8601, UTC. */
  generatedAt: string
}

/** The feed files of a game; null: never built. */
export interface FeedFiles {
  catalog: FeedFile | null
  expansions: FeedFile | null
  prices: FeedFile | null
}

/** In the order asked for; `product` is null for an unknown id. */
export interface Resolved {
  results: Array<{
    externalId: number
    product: ResolvedProduct | null
  }>
}

export interface ResolvedProduct {
  id: number
  name: string
  gameId: string
  expansionId: number | null
  finish: string
}

/** Ids of one price source to look up. */
export interface ResolveRequest {
  marketplace: "sourceEur" | "sourceUsd" | (string & {})
  ids: ReadonlyArray<number>
}

export interface RecentSalePage {
  data: Array<RecentSale>
  pagination: CursorPagination
}

/** A sale of the last 30 days; `priceEur` is by the rate of that day. */
export interface RecentSale {
  /** ISO 8601, UTC. */
  soldAt: string
  region: "eu" | "na"
  price: Money
  priceEur: Money
  quantity: number
  finish: string
  condition: Condition | null
  language: string
  graded: {
    gradingService: string | null
    grade: string
    certification: string | null
  } | null
}

/** The present prices of a product, by finish. */
export interface ProductPrices {
  productId: number
  pricesByFinish: Record<string, PriceBlocks>
}

/** A block is absent when its source has no price; never 0. */
export interface PriceBlocks {
  sourceEur?: SourcePrice | null
  sourceUsd?: SourcePrice | null
  marketplace?: MarketplacePrice | null
}

/** Live listings over all regions. `low` is the lowest price of all, converted to EUR. */
export interface MarketplacePrice {
  low: BlockMoney
  listingCount: number
  availableQuantity: number
  regions?: Record<string, RegionPrice> | null
}

/** Live listings of one region: `eu` in EUR, `na` in USD. A region without listings has no key. */
export interface RegionPrice {
  currency: string
  low: number
  listingCount: number
  availableQuantity: number
  byCondition?: Record<string, {
    low: number
    listingCount: number
    availableQuantity: number
    byLanguage?: Record<string, {
      low: number
      listingCount: number
      availableQuantity: number
    }> | null
  }> | null
}

/** An amount in a price block, major unit: 14.99 is 14.99 EUR. Up to four decimals. */
export interface BlockMoney {
  amount: number
  currency: string
}

/** What a price source says once a day, in `currency`, major unit; changes are in percent: 5 is +5 %. An absent figure is unknown. */
export interface SourcePrice {
  currency: string
  low?: number | null
  mid?: number | null
  high?: number | null
  marketValue?: number | null
  change24h?: number | null
  change7d?: number | null
  change30d?: number | null
  byCondition?: Record<string, {
    low?: number | null
    listingCount?: number | null
    availableQuantity?: number | null
    byLanguage?: Record<string, {
      low?: number | null
      listingCount?: number | null
      availableQuantity?: number | null
    }> | null
  }> | null
}

/** Oldest day first; days without a snapshot are missing. */
export interface PriceHistory {
  productId: number
  /** `YYYY-MM-DD`. */
  from: string
  /** `YYYY-MM-DD`. */
  to: string
  data: Array<HistoryRow>
}

/** What one source said about one finish on one day, in the source's currency, major unit. */
export interface HistoryRow {
  /** `YYYY-MM-DD`. */
  date: string
  marketplace: "sourceEur" | "sourceUsd"
  finish: string
  low?: number
  mid?: number
  high?: number
  marketValue?: number
}

/** While it is on, listings are hidden and no orders come; the inventory is kept. */
export interface Vacation {
  enabled: boolean
  status: SellerStatus
  /** ISO 8601, UTC. */
  since: string | null
}

/** Only `active` and `paused` change with the vacation. */
export type SellerStatus = "active" | "paused" | "suspended" | "banned"

/** Switches the vacation on or off. */
export interface VacationRequest {
  enabled: boolean
  reason?: string | undefined
}

/** `available` can be paid out; `pending` is of open orders. */
export interface Balance {
  available: Money
  pending: Money
  /** ISO 8601, UTC. */
  updatedAt: string
}

/** The account behind the key. `seller` is null for an account that only buys; `scopes` are those of this key. */
export interface Account {
  id?: string | null
  username: string
  email?: string | null
  imageUrl?: string | null
  /** ISO 8601, UTC. */
  createdAt?: string | null
  seller: AccountSeller | null
  scopes: Array<string>
}

export interface AccountSeller {
  type: string
  country: string
  currency: string
  available: boolean
  status?: "staged" | "live" | null
}

export interface ChangelogEntryPage {
  data: Array<ChangelogEntry>
  pagination: CursorPagination
}

/** A deployment of a game's feed; `changes` only with `includeChanges=true`. */
export interface ChangelogEntry {
  id: string
  /** ISO 8601, UTC. */
  deployedAt: string
  summary: {
    products: ChangeCounts
    expansions: ChangeCounts
  }
  changes?: {
    products: ChangedItems
    expansions: ChangedItems
  } | null
}

export interface ChangedItems {
  added: Array<ChangedItem>
  modified: Array<ChangedItem>
  removed: Array<ChangedItem>
}

/** Its id is absent if it no longer exists. */
export interface ChangedItem {
  slug: string
  id?: number | null
}

export interface ChangeCounts {
  added: number
  modified: number
  removed: number
}

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

/** Change history of a game's feed, newest deployment first: what can be asked for. */
export interface ChangelogQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  includeChanges?: boolean | undefined
}

/** Daily prices of a product, oldest day first: what can be asked for. */
export interface PriceHistoryQuery {
  marketplace?: "sourceEur" | "sourceUsd" | (string & {}) | undefined
  finish?: string | undefined
  /** `YYYY-MM-DD`. */
  from?: string | undefined
  /** `YYYY-MM-DD`. */
  to?: string | undefined
}

/** Sales of a product in the last 30 days: what can be asked for. */
export interface RecentSalesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  finish?: string | undefined
  condition?: Condition | undefined
  language?: string | undefined
}

/** The stock, by line: what can be asked for. */
export interface LinesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  game?: string | undefined
  productId?: ReadonlyArray<number> | undefined
  forSale?: boolean | undefined
  condition?: Condition | undefined
  language?: string | undefined
  finish?: string | undefined
  graded?: boolean | undefined
  customId?: string | undefined
  customIdPrefix?: string | undefined
  customIdContains?: string | undefined
  commentContains?: string | undefined
  location?: string | undefined
  tags?: ReadonlyArray<string> | undefined
}

/** The lines that are for sale: what can be asked for. */
export interface ListingsQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  game?: string | undefined
  productId?: ReadonlyArray<number> | undefined
  condition?: Condition | undefined
  language?: string | undefined
  finish?: string | undefined
  graded?: boolean | undefined
  customId?: string | undefined
  customIdPrefix?: string | undefined
  customIdContains?: string | undefined
  commentContains?: string | undefined
  location?: string | undefined
  tags?: ReadonlyArray<string> | undefined
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

/** Sales, newest first: what can be asked for. */
export interface SalesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  status?: ReadonlyArray<OrderStatus> | undefined
  /** ISO 8601, UTC. */
  placedFrom?: string | undefined
  /** ISO 8601, UTC. */
  placedTo?: string | undefined
  /** Pairs that a sale has: `metadata[channel]=web`. At most ten; all of them must hold. */
  metadata?: Record<string, string> | undefined
}

/** Purchases, newest first: what can be asked for. */
export interface PurchasesQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  status?: ReadonlyArray<OrderStatus> | undefined
  /** ISO 8601, UTC. */
  placedFrom?: string | undefined
  /** ISO 8601, UTC. */
  placedTo?: string | undefined
}

/** An event as a webhook delivers it; `type` says which. */
export type MarketEvent = OrderCreated | OrderStatusChanged | MessageReceived | BalanceUpdated | QuantityChanged | ImportCompleted | ExportCompleted

/** By code, what the marketplace says beside it. */
export interface ErrorData {
  ALREADY_LISTED: {
    inventoryId: string
  }
  AMOUNT_TOO_HIGH: {
    maxAllowed: number
  }
  API_ACCESS_DISABLED: Record<string, unknown>
  BAD_GATEWAY: Record<string, unknown>
  BAD_REQUEST: {
    field?: string
  }
  CONFLICT: {
    customId?: string
    name?: string
  }
  CURRENCY_MISMATCH: {
    provided: string
    expected: string
  }
  EXPANSION_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  FEED_NOT_GENERATED: {
    gameId: string
  }
  FORBIDDEN: {
    required: Array<string>
    granted: Array<string>
  }
  GAME_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  } | {
    gameId: string
  }
  IDEMPOTENCY_KEY_REUSED: {
    request: string
  }
  INSUFFICIENT_QUANTITY: {
    inventoryId: string
    available: number
    requested: number
  }
  INTERNAL_SERVER_ERROR: Record<string, unknown>
  INVALID_COUNT: Record<string, unknown>
  INVALID_FINISH: {
    finish: string
    allowed: Array<string>
  }
  INVALID_LANGUAGE: {
    language: string | null
    allowed: Array<string>
  }
  INVALID_STATUS: {
    status?: string
  }
  INVALID_TRANSITION: {
    from: string
    to: string
  }
  LOCATION_NOT_FOUND: {
    name: string
  }
  METADATA_LIMIT_EXCEEDED: Record<string, unknown>
  NOT_A_SELLER: Record<string, unknown>
  NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  PAYLOAD_TOO_LARGE: {
    maxBytes: number
    receivedBytes: number
  }
  PHOTO_NOT_FOUND: {
    url: string
  }
  PRODUCT_NOT_FOUND: {
    gameId?: string
    productId?: number
    expansionId?: number
    inventoryId?: string
    jobId?: string
    orderNumber?: string
    listingId?: string
    name?: string
  }
  REFUND_IN_PROGRESS: Record<string, unknown>
  SELLER_ACCOUNT_NOT_ACTIVE: Record<string, unknown>
  SERVICE_UNAVAILABLE: Record<string, unknown>
  SHIPPING_MANAGED_BY_MARKETPLACE: Record<string, unknown>
  TAG_NOT_FOUND: {
    name: string
  }
  TOO_MANY_REQUESTS: {
    bucket: string
    limit: number
    retryAfter: number
  }
  TRACKING_NUMBER_REQUIRED: Record<string, unknown>
  TRACKING_REGISTRATION_FAILED: Record<string, unknown>
  UNAUTHORIZED: Record<string, unknown>
  UNPROCESSABLE_FILE: {
    source: string
  }
  UNSUPPORTED_CONTENT_TYPE: {
    field?: string
  }
  WALLET_NOT_FOUND: Record<string, unknown>
}

/** What the marketplace refuses requests with. */
export type ErrorCode = keyof ErrorData

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
