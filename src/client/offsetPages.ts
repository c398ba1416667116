import { Effect, Stream } from "effect"
import { pageLimits } from "../contract/Paging.ts"
import type { OffsetPagination } from "./Marketplace.ts"
import type { Page } from "./RawBody.ts"

/** Pages in flight at once: PERFORMANCE.md, more brings nothing. */
export const pagesInFlight = 16

/**
 * An offset list in the order of its offsets. The first page tells `total`, the others come in parallel; their number
 * is fixed by that first `total`, so a `hasMore` that never ends cannot make it longer. Spec: offset pagination.
 */
export const offsetPages = <E, R>(page: (offset: number) => Effect.Effect<Page<OffsetPagination>, E, R>) =>
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
