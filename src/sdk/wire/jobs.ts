// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, GameFilter, GradedRequest, JobCounts, NameFilter, QuantityChange, Range, TagChange, TypeFilter } from "./shared.ts"

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
