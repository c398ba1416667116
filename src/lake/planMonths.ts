import { Clock, DateTime, Effect } from "effect"
import type { Current } from "./Current.ts"
import { nightsOf, type Night } from "./nights.ts"
import { partsOf, type PartFolder } from "./parts.ts"

/** A month of a game whose part lacks nights. */
export interface MonthPlan {
  readonly gameId: string
  readonly month: string
  /** Those that the new part is to hold beside what the present one has, oldest first; the present one may have some of them. */
  readonly nights: ReadonlyArray<Night>
  readonly present: PartFolder | null
}

/** Months of a game that want a new part: every closed one (UTC) with a night that no part holds as it is now. */
export const closedMonths = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis)).slice(0, 7)
  return yield* monthsOf(current, gameId, (night) => night.month < now)
})

/** Months of a game that want a new part because these snapshots go: open months with them alone, closed ones with all their nights. */
export const monthsToKeep = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  removed: ReadonlyArray<string>
) {
  const gone = new Set(removed)
  const now = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis)).slice(0, 7)
  const plans = yield* monthsOf(current, gameId, (night) => night.month < now || gone.has(night.snapshot))
  return plans.filter(({ nights }) => nights.some((night) => isLacking(night) && gone.has(night.snapshot)))
})

const isLacking = (night: Night): boolean => night.pricesIn === null || night.versionsIn === null

const monthsOf = Effect.fnUntraced(function* (current: Current, gameId: string, isWanted: (night: Night) => boolean) {
  const wanted = (yield* nightsOf(current, gameId)).filter((night) => isLacking(night) && isWanted(night))
  const present = yield* partsOf(gameId)
  return [...Map.groupBy(wanted, (night) => night.month)].map(([month, nights]): MonthPlan => ({
    gameId,
    month,
    nights,
    present: present.find(({ part }) => part.month === month) ?? null
  }))
})
