import { Effect } from "effect"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { FleetNightFailed } from "../../src/night/cluster/FleetSteps.ts"
import { readDocument } from "../../src/store/home/bucket/bucketDocuments.ts"
import { lakeKey } from "../../src/store/home/bucket/bucketKeys.ts"
import type { BucketStore } from "../../src/store/home/bucket/BucketStore.ts"
import { LakeDocument } from "../../src/store/home/bucket/documents.ts"
import { listGames } from "../../src/feed/reading/listGames.ts"
import { runPlanId } from "../../src/night/cluster/steps/runPlan.ts"
import { GameUnknown } from "../../src/night/run/gamesOfNight.ts"

/** Fails if the marketplace lists none of that name. */
export const listedGames = Effect.fnUntraced(function* (store: BucketStore, named: ReadonlyArray<string>) {
  const { gameIds } = yield* listGames
  const wanted = named.filter((gameId) => !gameIds.includes(gameId))
  if (wanted.length === 0) return
  const lake = yield* readDocument(store, lakeKey, LakeDocument)
  const inLake = new Set(Object.keys(lake?.document.games ?? {}))
  return yield* new GameUnknown({ wanted, offered: gameIds, kept: wanted.filter((gameId) => inLake.has(gameId)) })
})

/** The night that is open and those of its games that were asked for; none named: all. */
export const planOfFleet = Effect.fnUntraced(function* (store: BucketStore, named: ReadonlyArray<string>) {
  const { games, night } = yield* runPlanId(store)
  const unplanned = named.filter((gameId) => !games.includes(gameId))
  if (unplanned.length === 0)
    return { night, games: games.filter((gameId) => named.length === 0 || named.includes(gameId)) }
  yield* listedGames(store, unplanned)
  return yield* new FleetNightFailed({
    reason: `Night ${night} was planned without ${unplanned.join(", ")}. Name other games, or see what is wrong on one machine: cardlake nightly ${unplanned.map(shellWord).join(" ")}`,
    exitCode: 2
  })
})
