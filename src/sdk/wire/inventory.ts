// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, GameFilter, GradedRequest, NameFilter, OffsetPagination, QuantityChange, Range, TagChange, TypeFilter } from "./shared.ts"
import type { InventoryLine, LineListing } from "./stock.ts"

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
