import { Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { changelogPages } from "../client/changelogPages.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { wholePage, type OpenPage } from "../client/openPage.ts"
import type { CursorPagination } from "../client/pageReads.ts"
import type { OpenedPage } from "../client/RawBody.ts"
import { pageLimits } from "../contract/Paging.ts"
import { isObject } from "../rows/isObject.ts"

const isEntry = (deploymentId: DeploymentId) => (entry: unknown) => isObject(entry) && entry["id"] === deploymentId

/**
 * The changelog's pages back to the last known deployment, each as `use` returns it. Changes come only with newer
 * entries, and not at all without a known one: a feed's first entry may list every product it has.
 */
export const entriesSince = Effect.fnUntraced(function* <P extends OpenedPage<CursorPagination>, A, E, R>(
  gameId: string,
  deploymentId: DeploymentId | null,
  open: OpenPage<CursorPagination, P>,
  use: (page: P) => Effect.Effect<A, E, R>
) {
  const limit = (yield* Marketplace).dialect?.pages?.cursor ?? pageLimits.cursor.max
  const told = { gameId, includeChanges: false, limit }
  if (deploymentId === null) return changelogPages(told, open, use)
  const fresh = yield* changelogPages(told, wholePage<CursorPagination>, ({ data }) =>
    Effect.succeed(data.map(isEntry(deploymentId)))
  ).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.takeWhile((isKnown) => !isKnown),
    Stream.runCount
  )
  if (fresh === 0) return changelogPages(told, open, use)
  const atOnce = Math.min(fresh, limit)
  return changelogPages({ gameId, includeChanges: true, limit: atOnce }, open, use).pipe(
    Stream.take(Math.ceil(fresh / atOnce))
  )
})
