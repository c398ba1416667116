import { Effect, Result } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { planNight } from "../../../store/home/bucket/nights/planNight.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"
import { listGames } from "../../../feed/reading/listGames.ts"
import { faultsOfNames } from "../../run/gamesOfNight.ts"
import { gameWeights } from "./gameWeights.ts"

type Weights = ReturnType<typeof gameWeights>

/** The games that can be read, the heaviest first: it decides when a night ends. */
const gamesByWeight = Effect.fnUntraced(function* (weights: Weights) {
  const { gameIds } = yield* listGames
  const faults = faultsOfNames(gameIds, new Set())
  const named = gameIds.filter((gameId) => !faults.has(gameId))
  const weightOf = yield* weights
  const weighed = yield* Effect.forEach(
    named,
    (gameId) => Effect.map(weightOf(gameId), (weight) => [gameId, weight?.requests ?? 0] as const),
    { concurrency: 8 }
  )
  return weighed.toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([gameId]) => gameId)
})

/** The id of the night alone: asks the marketplace nothing if it is planned already. */
export const runPlanId = (store: BucketStore, weights: Weights = gameWeights(store)) =>
  planNight(store, gamesByWeight(weights))

/** The night to read in parts, with what is known of its games. */
export const runPlan = Effect.fn("runPlan")(function* (store: BucketStore) {
  const marketplace = yield* Marketplace
  const weights = yield* Effect.cached(gameWeights(store))
  const { games, night } = yield* runPlanId(store, weights)
  const weightOf = yield* weights
  const planned = yield* Effect.forEach(
    games,
    Effect.fnUntraced(function* (gameId, index) {
      // Null: the game has no deployment, or its changelog could not be read.
      const head = Result.getOrElse(yield* Effect.result(changelogHead(gameId)), () => null)
      // `index` is for runners that are told no names.
      return { index, gameId, head, weight: yield* weightOf(gameId) }
    }),
    { concurrency: 4 }
  )
  const known = planned.flatMap(({ weight }) => weight?.requests ?? [])
  const requests = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0)
  return {
    night,
    home: store.address,
    games: planned,
    /** What the games took last time, as far as that is known. */
    requests,
    /** Requests a minute, as the answers say; null: they do not. */
    limit: marketplace.rateLimit()?.limit ?? null,
    /** How long a night takes at least, with however many machines: its requests at the limits of the key. */
    secondsAtLeast: requests === null ? null : marketplace.secondsOfNight(requests)
  }
})

export type PlannedNight = Effect.Success<ReturnType<typeof runPlan>>
