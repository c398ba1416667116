import { pageLimits } from "../../contract/Paging.ts"
import { probedPages } from "../../reading/pageMoved.ts"

/** How much of a game is to be read. */
export interface GameSize {
  readonly products: number
  /** Null: not known; a page of them is assumed. */
  readonly expansions: number | null
  /** Whether the lake has it. */
  readonly isPublished: boolean
}

const pagesOf = (records: number): number => Math.max(1, Math.ceil(records / pageLimits.offset.max))

/** The head of the changelog, before the pages and after them. */
const heads = 2

/** Requests of a night over these games, of which none is deployed meanwhile. */
export const nightRequests = (games: ReadonlyArray<GameSize>): number =>
  // All games are on one list.
  games.reduce((sum, { expansions, isPublished, products }) => {
    const pages = pagesOf(products)
    // Of a game that the lake has: how many deployments are new, and those.
    const changelog = isPublished ? 2 : 1
    return sum + heads + pagesOf(expansions ?? 0) + pages + changelog + probedPages(pages).length
  }, 1)
