import { DateTime, Effect } from "effect"
import type { Current } from "../../home/Home.ts"
import { listNights, type Night } from "./nights.ts"
import { listParts, type PartFolder } from "../../home/parts.ts"
import { wholeGame } from "../../../feed/reading/RemoteFiles.ts"

/** A month of a game whose part lacks nights. */
export interface MonthPlan {
  readonly gameId: string
  readonly month: string
  /** Nights to add to those of the current part, oldest first; some may already be in it. */
  readonly nights: ReadonlyArray<Night>
  readonly present: PartFolder | null
}

/** Nights in the open month that trigger compaction; until then a product's series opens one file for each. */
export const openNights = 7

/** Months with nights that no part has as they are: closed ones (UTC), and the open one weekly. */
export const monthsToCompact = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const month = yield* thisMonth
  const plans = yield* lackingMonths(current, gameId, () => true)
  return plans.filter((plan) => plan.month < month || plan.nights.length >= openNights)
})

/** Returns the months to compact before these snapshots are deleted: past ones, and the current one if it has some. */
export const monthsToRetain = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  removed: ReadonlyArray<string>
) {
  const month = yield* thisMonth
  const removedSet = new Set(removed)
  const plans = yield* lackingMonths(current, gameId, (night) => night.month < month || removedSet.has(night.snapshot))
  return plans.filter(({ nights }) => nights.some((night) => removedSet.has(night.snapshot)))
})

const thisMonth = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).slice(0, 7))

const lackingMonths = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  isWanted: (night: Night) => boolean
) {
  yield* wholeGame(gameId)
  const nights = yield* listNights(current, gameId)
  const lacking = nights.filter((night) => (night.pricesIn === null || night.versionsIn === null) && isWanted(night))
  const present = yield* listParts(gameId)
  return [...Map.groupBy(lacking, (night) => night.month)].map(([month, nights]): MonthPlan => ({
    gameId,
    month,
    nights,
    present: present.find(({ part }) => part.month === month) ?? null
  }))
})
