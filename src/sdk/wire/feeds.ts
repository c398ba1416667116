// Generated from the contract by: node test/sdk/writeWire.ts
import type { CursorPagination } from "./shared.ts"

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

/** Change history of a game's feed, newest deployment first: what can be asked for. */
export interface ChangelogQuery {
  /** Items of a page. 1 to 100, default 50. */
  limit?: number | undefined
  /** Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page. */
  cursor?: string | undefined
  includeChanges?: boolean | undefined
}
