/** A list of the marketplace. It sends requests only while it is read; each iteration starts again. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  /** Iterates over pages. */
  readonly pages: () => AsyncIterable<Page>
  /** The single page that the query selects, with its pagination. */
  readonly page: () => Promise<Page>
}

/** The items of a page, which is an array or contains one. */
export type ItemOf<Page> = Page extends { data: Array<infer Item> }
  ? Item
  : Page extends Array<infer Item>
    ? Item
    : never

/** Where a page begins in its list; undefined for the start in the query. */
export type Position = { readonly cursor: string } | { readonly offset: number } | undefined

interface AnyPage {
  readonly data?: ReadonlyArray<unknown>
  readonly pagination?: { readonly nextCursor?: string | null; readonly offset?: number; readonly hasMore?: boolean }
}

const readItems = (page: AnyPage): ReadonlyArray<unknown> => (Array.isArray(page) ? page : (page.data ?? []))

/** Returns the next position; undefined after the last page. */
const findNext = (page: AnyPage, at: Position): Position => {
  const { hasMore, nextCursor, offset = 0 } = page.pagination ?? {}
  if (nextCursor != null && nextCursor !== "") {
    if (at !== undefined && "cursor" in at && at.cursor === nextCursor) {
      throw new Error("The list does not go on: a page names itself as the next one")
    }
    return { cursor: nextCursor }
  }
  const { length } = readItems(page)
  return hasMore === true && length > 0 ? { offset: offset + length } : undefined
}

/** Creates a list from `read`, which returns a page. */
export const makeList = <Page>(read: (at: Position) => Promise<Page>): List<ItemOf<Page>, Page> => {
  const pages = async function* () {
    let at: Position
    do {
      const page = await read(at)
      yield page
      at = findNext(page as AnyPage, at)
    } while (at !== undefined)
  }
  return {
    pages,
    page: () => read(undefined),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* readItems(page as AnyPage) as ReadonlyArray<ItemOf<Page>>
    }
  }
}
