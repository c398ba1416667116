import { Effect, Option, Stream } from "effect"
import { Marketplace } from "./Marketplace.ts"
import { PagingBroken } from "./MarketplaceError.ts"
import { withLargePageLock, type OpenedPage } from "./RawBody.ts"
import type { OpenPage } from "./openPage.ts"
import { changelogCall } from "./pageCalls.ts"
import type { CursorPagination } from "./pageReads.ts"

/** No game has a million deployments: a list with more pages than this never ends. */
const maxPages = 10_000

/**
 * A game's changelog, newest entry first, a page at a time. Ends at the page whose `nextCursor` is null, fails if
 * a cursor comes twice. `limit` is 1 to 100. Spec: GET /v1/feeds/{gameId}/changelog.
 */
export const changelogPages = <P extends OpenedPage<CursorPagination>, A, E, R>(
  { gameId, ...options }: { readonly gameId: string; readonly includeChanges: boolean; readonly limit: number },
  open: OpenPage<CursorPagination, P>,
  use: (page: P) => Effect.Effect<A, E, R>
) =>
  Stream.suspend(() => {
    const seen = new Set<string>()
    return Stream.paginate(
      undefined as string | undefined,
      Effect.fnUntraced(function* (cursor) {
        const marketplace = yield* Marketplace
        const page = yield* marketplace.opened(
          changelogCall(gameId, { ...options, ...(cursor === undefined ? {} : { cursor }) }, marketplace.dialect),
          open
        )
        const { nextCursor } = page.pagination
        if (nextCursor !== null && (seen.has(nextCursor) || seen.size >= maxPages)) {
          const what = seen.has(nextCursor) ? "the same cursor came twice" : `it has more than ${maxPages} pages`
          return yield* new PagingBroken({ request: page.request, requestId: page.requestId, what })
        }
        if (nextCursor !== null) seen.add(nextCursor)
        return [[yield* use(page)], Option.fromNullOr(nextCursor)] as const
      }, withLargePageLock)
    )
  })
