import { openWith, type ParsedBody, type Parsing } from "./openWith.ts"
import { Effect, Option, Stream, Result, Schema } from "effect"
import { Marketplace } from "../client/Marketplace.ts"
import { PagingBroken, NotMarketplace } from "../client/MarketplaceError.ts"
import { withLargePageLock, type OpenedPage } from "../client/RawBody.ts"
import { type OpenPage, wholePage, changelogCall, type CursorPagination } from "../client/pageCalls.ts"
import { readJson } from "../client/OpenFault.ts"
import { readInstant } from "../contract/Catalogue.ts"
import { DeploymentId } from "../contract/Ids.ts"
import { pageLimits } from "../contract/Paging.ts"
import { isObject } from "../rows/isObject.ts"

/** The maximum number of pages. No game has a million deployments, so a longer list counts as endless. */
const maxPages = 10_000

/**
 * Streams a game's changelog, newest entry first, a page at a time. Ends at the page whose `nextCursor` is null; fails
 * if a cursor repeats. `limit` is 1 to 100. Spec: GET /v1/feeds/{gameId}/changelog.
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

const readHead = readJson(Schema.Struct({ id: DeploymentId, deployedAt: Schema.String }), "a deployment")

/** A game's newest deployment; null if none. Requested before and after a reading. Design: decision 2. */
export const changelogHead = Effect.fnUntraced(function* (gameId: string) {
  const marketplace = yield* Marketplace
  const ask = marketplace.changelog(gameId, { limit: 1 })
  const { head, request, requestId } = yield* withLargePageLock(
    Effect.map(ask, ({ data: [head], request, requestId }) => ({ head, request, requestId }))
  )
  if (head === undefined) return null
  const read = readHead(head)
  if (Result.isSuccess(read)) return { id: read.success.id, deployedAt: readInstant(read.success.deployedAt) }
  const { remedy, what } = read.failure
  return yield* new NotMarketplace({ request, requestId, url: marketplace.url, what, remedy, attempts: 1 })
})

const isEntry = (deploymentId: DeploymentId) => (entry: unknown) => isObject(entry) && entry["id"] === deploymentId

/**
 * Streams the changelog's pages back to the last known deployment, each as `use` returns it. Changes come only with
 * newer entries, and not without a known one, because a feed's first entry may list all its products.
 */
const entriesSince = Effect.fnUntraced(function* <P extends OpenedPage<CursorPagination>, A, E, R>(
  gameId: string,
  deploymentId: DeploymentId | null,
  open: OpenPage<CursorPagination, P>,
  use: (page: P) => Effect.Effect<A, E, R>
) {
  const limit = (yield* Marketplace).dialect?.pages?.cursor ?? pageLimits.cursor.max
  const options = { gameId, includeChanges: false, limit }
  if (deploymentId === null) return changelogPages(options, open, use)
  const fresh = yield* changelogPages(options, wholePage<CursorPagination>, ({ data }) =>
    Effect.succeed(data.map(isEntry(deploymentId)))
  ).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.takeWhile((isKnown) => !isKnown),
    Stream.runCount
  )
  if (fresh === 0) return changelogPages(options, open, use)
  const atOnce = Math.min(fresh, limit)
  return changelogPages({ gameId, includeChanges: true, limit: atOnce }, open, use).pipe(
    Stream.take(Math.ceil(fresh / atOnce))
  )
})

/** Reads the changelog back to the deployment `known`. `use` gets each page with its number. */
export const readChangelog = Effect.fnUntraced(function* <E, R>(
  {
    from,
    gameId,
    known,
    parsing
  }: {
    readonly gameId: string
    readonly known: DeploymentId | null
    readonly parsing: Parsing
    readonly from: Marketplace["Service"]
  },
  use: (page: ParsedBody<CursorPagination>, number: number) => Effect.Effect<unknown, E, R>
) {
  let number = 0
  const open = openWith(parsing, "changelog", () => number)<CursorPagination>
  const take = (page: ParsedBody<CursorPagination>) =>
    Effect.as(use(page, number++), known !== null && page.parsed.ids.includes(known))
  yield* (yield* entriesSince(gameId, known, open, take)).pipe(
    Stream.takeUntil((isLast) => isLast),
    Stream.runDrain,
    Effect.provideService(Marketplace, from)
  )
})
