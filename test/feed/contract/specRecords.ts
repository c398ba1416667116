import type { Schema } from "effect"
import { dialects } from "../../../src/feed/contract/dialect/dialects.ts"
import { ProductListing } from "../../../src/market/contract/buying/productListingOperations.ts"
import { changelogEntry } from "../../../src/feed/contract/Changelog.ts"
import { ExportCompleted, ImportCompleted, QuantityChanged } from "../../../src/market/contract/events/MarketEvent.ts"
import { Money } from "../../../src/market/contract/Money.ts"
import { OrderItem, SaleItem, Sale, Purchase, PurchaseDetail } from "../../../src/market/contract/orders/Order.ts"
import { OrderParty, ShippingAddress } from "../../../src/market/contract/orders/orderParts.ts"
import { sealed } from "../../../src/feed/contract/Product.ts"

const Sealed = sealed(dialects.spec)
const ChangelogEntry = changelogEntry(dialects.spec)

const status =
  "status: pending_shipment/cancellation_requested/shipped/delivered/dispute_open/dispute_escalated/completed/" +
  "cancelled_buyer/cancelled_seller/cancelled_auto/resolved_full_refund/resolved_partial_refund/resolved_no_refund/" +
  "resolved_return/resolved_goodwill_refund"
const dates = [
  "placedAt: string",
  "updatedAt: string",
  "shippedAt: string?",
  "deliveredAt: string?",
  "completedAt: string?"
]
const currency = "currency: USD/EUR/GBP/CAD/CHF"
const condition = "condition: NM/LP/MP/HP/DMG?"
const item = [
  "productId: integer?",
  "productName: string",
  "imageUrl: string?",
  condition,
  "finish: string",
  "graded: object?",
  "quantity: integer",
  "unitPrice: Money",
  "lineTotal: Money"
]
const saleItem = [...item, "inventoryId: string", "customId: string?"]
const sale = [
  "orderNumber: string",
  status,
  ...dates,
  currency,
  "items: object[]",
  "subtotal: Money",
  "shippingAmount: Money",
  "sellerFee: object",
  "payout: object",
  "buyer: object",
  "shippingAddress: object",
  "metadata: object"
]
const purchase = [
  "orderNumber: string",
  status,
  ...dates,
  currency,
  "items: object[]",
  "subtotal: Money",
  "shippingAmount: Money",
  "buyerFee: Money",
  "tax: Money",
  "total: Money",
  "seller: object"
]
const source = [
  "currency: string",
  ...["low", "mid", "high", "marketValue", "change24h", "change7d", "change30d"].map((name) => `${name}?: number`)
]
const counts = ["added: integer", "modified: integer", "removed: integer"]

/** The fields of the specification's records, copied by hand from its tables. */
export const records: ReadonlyArray<
  readonly [name: string, record: Schema.Top, path: string, fields: ReadonlyArray<string>]
> = [
  ["Money", Money, "", ["amount: number", currency]],
  [
    "OrderParty",
    OrderParty,
    "",
    [
      "id: string",
      "username: string",
      "avatarUrl: string?",
      "country: string?",
      "type: pro/individual?",
      "rating: object",
      "reliability: object?"
    ]
  ],
  ["Graded", OrderItem, "graded", ["gradingService: string", "grade: string", "certification: string?"]],
  ["OrderLineItem", OrderItem, "", item],
  ["Sale line item", SaleItem, "", saleItem],
  ["Sale", Sale, "", sale],
  ["SellerFee", Sale, "sellerFee", ["percentage: number", "amount: Money"]],
  ["SalePayout", Sale, "payout", ["amount: Money?", "eligibleAt: string?", "paidOutAt: string?"]],
  [
    "OrderShippingAddress",
    ShippingAddress,
    "",
    [
      "recipientName: string",
      "line1: string",
      "line2: string?",
      "city: string",
      "state: string?",
      "postalCode: string",
      "countryCode: string",
      "phone: string?"
    ]
  ],
  ["Purchase", Purchase, "", purchase],
  [
    "PurchaseDetail",
    PurchaseDetail,
    "",
    [...purchase, "shippingAddress: object", "shipping: object?", "refund: object?", "cancellation: object?"]
  ],
  [
    "OrderShipping",
    PurchaseDetail,
    "shipping",
    [
      "carrier: string?",
      "trackingUrl: string?",
      "status: string?",
      "shippedAt: string?",
      "deliveredAt: string?",
      "history: object[]?"
    ]
  ],
  ["PurchaseRefund", PurchaseDetail, "refund", ["amount: Money", "refundedAt: string?"]],
  [
    "OrderCancellation",
    PurchaseDetail,
    "cancellation",
    ["cancelledAt: string", "cancelledBy: buyer/seller/system", "reason: string", "reasonText: string?"]
  ],
  [
    "ProductListing",
    ProductListing,
    "",
    [
      "listingId: string",
      "price: Money",
      "quantity: integer",
      condition,
      "language: string?",
      "finish: string",
      "graded: object?",
      "comment: string?",
      "seller: object"
    ]
  ],
  [
    "ListingSeller",
    ProductListing,
    "seller",
    ["id: string", "username: string", "country: string", "type: pro/individual", "rating: object", "shipping: Money?"]
  ],
  [
    "SealedProduct",
    Sealed,
    "",
    [
      "id: integer",
      "gameId: string",
      "game: object",
      "name: string",
      "nameSlug: string",
      "languages: string[]",
      "productType: sealed",
      "productCategory: string",
      "prices: object",
      "availability?: object",
      "expansionId?: integer",
      "expansion?: object",
      "externalIds?: object",
      "imageUrl?: string",
      "releaseDate?: string"
    ]
  ],
  ["availability", Sealed, "availability", ["inStock: boolean", "listingCount: integer", "cheapest: object?"]],
  [
    "ExternalIds",
    Sealed,
    "externalIds",
    [
      "sourceEur?: object[]",
      "sourceUsd?: object[]",
      ...["mtgId", "mtgOracleId", "konamiStyleId", "lorcanaId", "fabId", "riftboundId"].map(
        (name) => `${name}?: string`
      )
    ]
  ],
  ["Prices", Sealed, "prices", ["sourceEur?: object", "sourceUsd?: object", "marketplace?: object"]],
  ["sourceEur", Sealed, "prices.sourceEur", source],
  ["sourceUsd", Sealed, "prices.sourceUsd", source],
  ["marketplace", Sealed, "prices.marketplace", ["low: Money", "listingCount: integer", "availableQuantity: integer"]],
  ["a changelog entry", ChangelogEntry, "", ["id: string", "deployedAt: string", "summary: object"]],
  ["its products", ChangelogEntry, "summary.products", counts],
  ["its expansions", ChangelogEntry, "summary.expansions", counts],
  [
    "inventory.quantity.changed",
    QuantityChanged,
    "data",
    ["reason: order/order_cancelled/import/edit/listing", "changes: object[]"]
  ],
  [
    "a changed quantity",
    QuantityChanged,
    "data.changes[]",
    ["inventoryId: string", "customId: string?", "productId: integer", "before: integer", "after: integer"]
  ],
  [
    "inventory.import.completed",
    ImportCompleted,
    "data",
    ["jobId: string", "status: completed/failed", "counts: object", "errorReportUrl: string?"]
  ],
  ["its counts", ImportCompleted, "data.counts", ["total: integer", "succeeded: integer", "failed: integer"]],
  [
    "inventory.export.completed",
    ExportCompleted,
    "data",
    ["jobId: string", "status: completed/failed", "downloadUrl: string?", "expiresAt: string?"]
  ]
]
