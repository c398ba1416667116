import { Effect } from "effect"
import type { BucketStore } from "./BucketStore.ts"
import { gameLog, lakeLog, readGame, readLake } from "./gameInBucket.ts"
import { type Collected, collectLog, headOfLastWeek } from "./log/collectLog.ts"
import { commitDamaged, commitKey, missing, readCommit } from "./log/commitLog.ts"
import { retainedMillis } from "./log/objects.ts"
import { nameGame, type NamedKeys, nameLake } from "./namedKeys.ts"
import { nextOfMade } from "./nextOfDamage.ts"

/**
 * Garbage-collects the log of the lake, then that of each game. The lake retains the commit that was the newest one a
 * week ago; a game retains the commit that this one names.
 */
export const sweepBucket = Effect.fn("sweepBucket")(function* (store: BucketStore, nowMillis: number) {
  const done: Array<Collected> = []
  for (const { path, writtenMillis } of yield* store.list("probes/"))
    if (nowMillis - writtenMillis > retainedMillis) yield* store.remove(path)
  const lake = yield* readLake(store)
  if (lake === null) return { deleted: 0, deletedBytes: 0 }
  const named: NamedKeys = new Map()
  const keysOf = (naming: Effect.Effect<void, Effect.Error<ReturnType<typeof nameGame>>>) =>
    Effect.map(naming, () => [...named.keys()])
  const collected = yield* collectLog(store, lakeLog, {
    from: lake,
    lowest: yield* headOfLastWeek(store, lakeLog.room, nowMillis),
    namedBy: (commit, isNewest) => keysOf(nameLake(store, commit, named, isNewest ? undefined : new Map())),
    nowMillis
  })
  done.push(collected)
  const lowest = collected.head?.commit.lowest ?? 1
  const key = commitKey(lakeLog.room, lowest)
  const first = (yield* readCommit(store, lakeLog, lowest)) ?? (yield* commitDamaged(store, key, missing, nextOfMade))
  for (const gameId of yield* store.folders("games")) {
    named.clear()
    const collectedGame = yield* collectLog(store, gameLog(gameId), {
      from: yield* readGame(store, gameId, lake.commit.games[gameId]),
      lowest: first.commit.games[gameId]?.number ?? 1,
      namedBy: (commit, isNewest) => keysOf(nameGame(store, commit, named, isNewest ? undefined : new Map())),
      nowMillis
    })
    done.push(collectedGame)
  }
  return {
    deleted: done.reduce((sum, { deleted }) => sum + deleted, 0),
    deletedBytes: done.reduce((sum, { deletedBytes }) => sum + deletedBytes, 0)
  } satisfies Collected
})
