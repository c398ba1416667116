// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, CursorPagination, Graded, Money, Photo } from "./shared.ts"

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

/** The changed line; after a split, also the part that stayed as it was. */
export interface ChangedLine {
  line: InventoryLine
  remainder: InventoryLine | null
}

export interface InventoryLinePage {
  data: Array<InventoryLine>
  pagination: CursorPagination
}
