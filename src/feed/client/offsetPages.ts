import { Effect, Stream } from "effect"
import { maxRecords, pageLimits } from "../contract/Paging.ts"
import { Marketplace } from "./Marketplace.ts"
import { PagingBroken } from "./MarketplaceError.ts"
import type { OffsetList } from "./offsetLists.ts"
import { type OpenPage, wholePage, offsetCall, type OffsetPagination } from "./pageCalls.ts"
import { withLargePageLock, type OpenedPage } from "./RawBody.ts"

/** The maximum number of concurrent pages. More is not faster. */
export const pagesInFlight = 16

/** Requests one page of a list with all of its records; products are sorted by name. */
export const offsetPage = (list: OffsetList, gameId: string, offset: number) =>
  Effect.flatMap(Marketplace, ({ dialect, opened }) =>
    opened(offsetCall(list, { gameId, offset }, dialect), wholePage<OffsetPagination>)
  )

export interface PagePosition {
  /** The number, from 0. */
  readonly number: number
  /** The number of records on every page except the last. */
  readonly size: number
}

/**
 * Streams a game's list in the order of its offsets, with at most {@link pagesInFlight} pages in memory. The first page
 * determines the number of pages, whatever `hasMore` says later. Spec: offset pagination.
 */
export const offsetPages = <P extends OpenedPage<OffsetPagination>, A, E, R>(
  { gameId, list }: { readonly gameId: string; readonly list: OffsetList },
  open: OpenPage<OffsetPagination, P>,
  use: (page: P, position: PagePosition) => Effect.Effect<A, E, R>
) => {
  const page = Effect.fnUntraced(function* (number: number, listSize: number | null) {
    const marketplace = yield* Marketplace
    const page = yield* marketplace.opened(
      offsetCall(list, { gameId, offset: number * (listSize ?? 0) }, marketplace.dialect),
      open
    )
    const { limit, total } = page.pagination
    if (total > maxRecords) return yield* endless(page)
    const size = listSize ?? choosePageSize(limit)
    return { used: yield* use(page, { number, size }), pages: Math.ceil(total / size), size }
  }, withLargePageLock)
  return Stream.unwrap(
    Effect.map(page(0, null), (first) =>
      Stream.concat(
        Stream.succeed(first.used),
        Stream.range(1, first.pages - 1, 1).pipe(
          Stream.mapEffect((number) => Effect.map(page(number, first.size), ({ used }) => used), {
            concurrency: pagesInFlight
          })
        )
      )
    )
  )
}

/** Returns the page size. An impossible one is replaced by the requested size, and the census reports the fault. */
const choosePageSize = (limit: number): number =>
  limit >= 1 && limit <= pageLimits.offset.max ? limit : pageLimits.offset.max

const endless = ({ pagination, request, requestId }: OpenedPage<OffsetPagination>) =>
  new PagingBroken({
    request,
    requestId,
    what: `it claims to have ${pagination.total} records, and no list has more than ${maxRecords}`
  })
