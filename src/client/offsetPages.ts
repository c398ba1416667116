import { Effect, Stream } from "effect"
import { pageLimits } from "../contract/Paging.ts"
import { PagingBroken } from "./MarketplaceError.ts"
import { withPageRoom } from "./PageRoom.ts"
import type { OffsetPagination } from "./pageCalls.ts"
import type { Page } from "./RawBody.ts"

/** Pages in flight at once: PERFORMANCE.md, more brings nothing. */
export const pagesInFlight = 16

/** A hundred times the largest game: a list that says more is not read to an end that it may not have. */
const mostRecords = 20_000_000

/**
 * An offset list in the order of its offsets. `ask` fetches one page and `use` does with it what is to be done: both run in
 * parallel, so that no more than {@link pagesInFlight} pages are in memory. The first page tells `total`; the number of
 * pages is fixed by it, so a `hasMore` that never ends cannot make the list longer. Spec: offset pagination.
 */
export const offsetPages = <A extends { readonly pagination: OffsetPagination }, E, R, E2, R2>(
  ask: (offset: number) => Effect.Effect<Page<OffsetPagination>, E, R>,
  use: (page: Page<OffsetPagination>) => Effect.Effect<A, E2, R2>
): Stream.Stream<A, E | E2 | PagingBroken, R | R2> => {
  const page = Effect.fnUntraced(function* (offset: number) {
    const page = yield* ask(offset)
    if (page.pagination.total > mostRecords) return yield* endless(page)
    return yield* use(page)
  }, withPageRoom)
  return Stream.unwrap(
    Effect.map(page(0), (first) =>
      Stream.concat(
        Stream.succeed(first),
        Stream.fromIterable(offsetsAfterFirst(first.pagination.total)).pipe(
          Stream.rechunk(1),
          Stream.mapEffect(page, { concurrency: pagesInFlight })
        )
      )
    )
  )
}

const endless = ({ pagination, request, requestId }: Page<OffsetPagination>) =>
  new PagingBroken({
    request,
    requestId,
    what: `it says that it holds ${pagination.total} records, and no list has more than ${mostRecords}`
  })

function* offsetsAfterFirst(total: number): Generator<number> {
  for (let offset = pageLimits.offset.max; offset < total; offset += pageLimits.offset.max) yield offset
}
