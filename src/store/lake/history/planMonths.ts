import { DateTime, Effect } from "effect"
import type { Current } from "../../home/Home.ts"
import { nightsOf, type Night } from "./nights.ts"
import { partsOf, type PartFolder } from "../../home/parts.ts"
import { wholeGame } from "../../../feed/reading/StandIns.ts"

/** A month of a game whose part lacks nights. */
export interface MonthPlan {
  readonly gameId: string
  readonly month: string
  /**
   * Nights that the new part gets besides those of the current one,
   * oldest first; the current one may already have some of them.
   */
  readonly nights: ReadonlyArray<Night>
  readonly present: PartFolder | null
}

/** A product's series opens one file per month, and in the open month the files of fewer nights than this. */
export const openNights = 7

/**
 * Months of a game that need a new part for nights that no part has as they are now:
 * every closed one (UTC), and the open one once a week of nights has accumulated.
 */
export const monthsToCompact = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const month = yield* thisMonth
  const plans = yield* monthsOf(current, gameId, () => true)
  return plans.filter((plan) => plan.month < month || plan.nights.length >= openNights)
})

/**
 * Months that need a new part because these snapshots are removed: closed
 * ones with all their nights, the open one with these alone.
 */
export const monthsToRetain = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  removed: ReadonlyArray<string>
) {
  const month = yield* thisMonth
  const gone = new Set(removed)
  const plans = yield* monthsOf(current, gameId, (night) => night.month < month || gone.has(night.snapshot))
  return plans.filter(({ nights }) => nights.some((night) => gone.has(night.snapshot)))
})

const thisMonth = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).slice(0, 7))

const monthsOf = Effect.fnUntraced(function* (current: Current, gameId: string, isWanted: (night: Night) => boolean) {
  yield* wholeGame(gameId)
  const nights = yield* nightsOf(current, gameId)
  const lacking = nights.filter((night) => (night.pricesIn === null || night.versionsIn === null) && isWanted(night))
  const present = yield* partsOf(gameId)
  return [...Map.groupBy(lacking, (night) => night.month)].map(([month, nights]): MonthPlan => ({
    gameId,
    month,
    nights,
    present: present.find(({ part }) => part.month === month) ?? null
  }))
})
