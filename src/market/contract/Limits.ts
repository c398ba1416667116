import { catalogueSearch, pricingHistory, type OperationBucket } from "../../feed/contract/Bucket.ts"

const anHour = 3600

/** Rate buckets of operations. Without a number from the service, ours is 60 per minute. Beyond the spec: section 3. */
export const operationBuckets = {
  catalogueSearch,
  productListings: { name: "product-listings", limit: 120, windowSeconds: anHour },
  prices: { name: "pricing-snapshot", limit: 600, windowSeconds: anHour },
  priceHistory: pricingHistory,
  recentSales: { name: "product-sales", limit: 60, windowSeconds: anHour },
  inventorySearch: { name: "inventory-search", limit: 60, windowSeconds: 60 },
  inventoryExport: { name: "inventory-export", limit: 1, windowSeconds: 600 }
} as const satisfies Readonly<Record<string, OperationBucket>>

/** Sizes that the marketplace enforces. Spec: Limits; beyond the spec: sections 10 to 13. */
export const limits = {
  changesPerEvent: 500,
  linesPerCreate: 1000,
  itemsPerUpdate: 200,
  itemsPerCartCall: 1000,
  customIdLength: 255,
  textLength: 2000,
  tagsPerLine: 50,
  namesPerFilter: 50,
  inventorySearchDepth: 10_000,
  photosPerLine: 10,
  photoBytes: 10 * 1024 * 1024,
  importBytes: 256 * 1024 * 1024,
  importRows: 5_000_000,
  jobLinkSeconds: 15 * 60,
  eventLinkSeconds: anHour,
  jobFileDays: 7,
  metadataKeys: 50,
  metadataKeyLength: 64,
  metadataValueLength: 500,
  idempotencyHours: 24
} as const

/** Returns the maximum size of an upload part for a file of this many bytes, including the part's header. */
export const partBytes = (fileBytes: number): number => fileBytes + 16 * 1024
