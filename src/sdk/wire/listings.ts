// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, Money } from "./shared.ts"

export interface UnlistLine {
  quantity?: number | undefined
}

/** A new price of a line that is for sale. */
export interface RepriceLine {
  price: Money
}

/** Puts a line up for sale, or `quantity` of its units, which then become a line of their own. */
export interface ListLine {
  price: Money
  quantity?: number | undefined
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
