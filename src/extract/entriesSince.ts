import { Effect, Stream } from "effect"
import { changelogPages } from "../client/changelogPages.ts"
import { pageLimits } from "../contract/Paging.ts"

const limit = pageLimits.cursor.max

export const isEntry = (deploymentId: string) => (entry: unknown) =>
  typeof entry === "object" && entry !== null && "id" in entry && entry.id === deploymentId

/**
 * The changelog's pages back to the last deployment known. What is newer comes with its changes, and nothing else does: a feed's first
 * entry may list every product it has. Without a deployment known, or with nothing newer, the entries come without changes.
 */
export const entriesSince = Effect.fnUntraced(function* (gameId: string, deploymentId: string | null) {
  const told = changelogPages(gameId, { includeChanges: false, limit })
  if (deploymentId === null) return told
  const fresh = yield* told.pipe(
    Stream.flatMap((page) => Stream.fromIterable(page.data)),
    Stream.takeWhile((entry) => !isEntry(deploymentId)(entry)),
    Stream.runCount
  )
  if (fresh === 0) return told
  const atOnce = Math.min(fresh, limit)
  return changelogPages(gameId, { includeChanges: true, limit: atOnce }).pipe(Stream.take(Math.ceil(fresh / atOnce)))
})
