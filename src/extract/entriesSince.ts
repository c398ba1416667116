import { Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { changelogPages } from "../client/changelogPages.ts"
import type { CursorPagination } from "../client/pageCalls.ts"
import type { Page } from "../client/RawBody.ts"
import { pageLimits } from "../contract/Paging.ts"

const limit = pageLimits.cursor.max

export const isEntry = (deploymentId: DeploymentId) => (entry: unknown) =>
  typeof entry === "object" && entry !== null && "id" in entry && entry.id === deploymentId

/**
 * The changelog's pages back to the last deployment known, each as `use` leaves it. What is newer comes with its changes, and nothing else
 * does: a feed's first entry may list every product it has. Without a deployment known, or with nothing newer, the entries come without changes.
 */
export const entriesSince = Effect.fnUntraced(function* <A, E, R>(
  gameId: string,
  deploymentId: DeploymentId | null,
  use: (page: Page<CursorPagination>) => Effect.Effect<A, E, R>
) {
  const told = { includeChanges: false, limit }
  if (deploymentId === null) return changelogPages(gameId, told, use)
  const fresh = yield* changelogPages(gameId, told, ({ data }) => Effect.succeed(data.map(isEntry(deploymentId)))).pipe(
    Stream.flatMap(Stream.fromIterable),
    Stream.takeWhile((isKnown) => !isKnown),
    Stream.runCount
  )
  if (fresh === 0) return changelogPages(gameId, told, use)
  const atOnce = Math.min(fresh, limit)
  return changelogPages(gameId, { includeChanges: true, limit: atOnce }, use).pipe(
    Stream.take(Math.ceil(fresh / atOnce))
  )
})
