import { join } from "node:path"
import { Effect } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { isThere } from "../../store/home/disk.ts"
import { Home, type Current } from "../../store/home/Home.ts"
import type { PlannedDay } from "./planDays.ts"

/** A night that was taken back and then pruned, so that it cannot come back. */
export interface PrunedNight {
  readonly snapshot: SnapshotId
  /** Its day, where the drop has it in table `nights`, with `counts` = false; null = the drop never had it. */
  readonly dt: string | null
}

/** What an export is about to do to a game. */
interface Planned {
  readonly days: ReadonlyArray<PlannedDay>
  readonly isFirst: boolean
}

/** Nights that were taken back and pruned: those of the days to write, and in a first export all that ever were. */
export const prunedNights = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  counting: ReadonlySet<SnapshotId>,
  { days, isFirst }: Planned
) {
  const home = yield* Home
  const isPruned = (snapshot: SnapshotId) => !isThere(join(home.snapshot(gameId, snapshot), "manifest.json"))
  const inDrop = days.flatMap(({ dt, takenBack }) =>
    takenBack.filter(({ snapshot }) => isPruned(snapshot)).map(({ snapshot }): PrunedNight => ({ snapshot, dt }))
  )
  if (!isFirst) return inDrop
  const published = new Set(current.history.flatMap((step) => (step.gameId === gameId ? [step.snapshot] : [])))
  return [...published]
    .filter((snapshot) => !counting.has(snapshot) && isPruned(snapshot))
    .map((snapshot): PrunedNight => ({ snapshot, dt: null }))
})
