import { Effect, Result } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { planNight } from "../../../store/home/bucket/nights/nightParts.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import { faultsOfNames } from "../../run/gamesOfNight.ts"
import { gameWeights } from "./gameWeights.ts"

type Weights = ReturnType<typeof gameWeights>

/** Returns the readable games, heaviest first, because the heaviest one determines when a night ends. */
const gamesByWeight = Effect.fnUntraced(function* (weights: Weights) {
  const { gameIds } = yield* listGames
  const faults = faultsOfNames(gameIds, new Set())
  const named = gameIds.filter((gameId) => !faults.has(gameId))
  const weigh = yield* weights
  const weighed = yield* Effect.forEach(
    named,
    (gameId) => Effect.map(weigh(gameId), (weight) => [gameId, weight?.requests ?? 0] as const),
    { concurrency: 8 }
  )
  return weighed.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([gameId]) => gameId)
})

/** Returns only the night's id. A planned night needs no request to the marketplace. */
export const runPlanId = (store: BucketStore, weights: Weights = gameWeights(store)) =>
  planNight(store, gamesByWeight(weights))

export const runPlan = Effect.fn("runPlan")(function* (store: BucketStore) {
  const marketplace = yield* Marketplace
  const weights = yield* Effect.cached(gameWeights(store))
  const { games, night } = yield* runPlanId(store, weights)
  const weigh = yield* weights
  const planned = yield* Effect.forEach(
    games,
    Effect.fnUntraced(function* (gameId, index) {
      // Null if the game has no deployment, or its changelog could not be read.
      const head = Result.getOrElse(yield* Effect.result(changelogHead(gameId)), () => null)
      // `index` identifies the game for runners that get no names.
      return { index, gameId, head, weight: yield* weigh(gameId) }
    }),
    { concurrency: 4 }
  )
  const known = planned.flatMap(({ weight }) => weight?.requests ?? [])
  const requests = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
  return {
    night,
    home: store.address,
    games: planned,
    /** Total requests of the games' last readings, as far as known. */
    requests,
    /** Requests a minute as stated in the answers; null if they state no limit. */
    limit: marketplace.rateLimit()?.limit ?? null,
    /** Min duration of a night, with any number of machines: its requests at the limits of the key. */
    secondsAtLeast: requests === null ? null : marketplace.secondsOfNight(requests)
  }
})

export type PlannedNight = Effect.Success<ReturnType<typeof runPlan>>
