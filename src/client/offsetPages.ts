import { Effect, Stream } from "effect"
import { pageLimits } from "../contract/Paging.ts"
import type { OffsetPagination } from "./pageCalls.ts"

/** Pages in flight at once: PERFORMANCE.md, more brings nothing. */
export const pagesInFlight = 16

/**
 * An offset list in the order of its offsets. `page` fetches one page and does with it what is to be done: it runs in
 * parallel, so that no more than {@link pagesInFlight} pages are in memory. The first page tells `total`; the number of
 * pages is fixed by it, so a `hasMore` that never ends cannot make the list longer. Spec: offset pagination.
 */
export const offsetPages = <A extends { readonly pagination: OffsetPagination }, E, R>(
  page: (offset: number) => Effect.Effect<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.unwrap(
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

function* offsetsAfterFirst(total: number): Generator<number> {
  for (let offset = pageLimits.offset.max; offset < total; offset += pageLimits.offset.max) yield offset
}
