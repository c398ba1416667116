import { Effect } from "effect"
import { SnapshotId } from "../../src/feed/contract/Ids.ts"
import { diffSnapshots } from "../../src/store/diff/diffSnapshots.ts"
import { writeHeldBack } from "../../src/store/home/HeldBack.ts"
import { Home } from "../../src/store/home/Home.ts"
import { readSnapshot } from "../../src/store/home/Manifest.ts"
import { beginRun } from "../../src/night/run/beginRun.ts"
import { publishAs, runRelease } from "../../src/night/run/publishAs.ts"
import { snapshotOf } from "../store/lake/handMadeNights.ts"
import { card, gameId } from "../store/lake/invented.ts"
import { dayOf, nightId } from "./FourNights.ts"

/** A snapshot of the same day with one card more, read at this time. */
export const laterSnapshot = Effect.fnUntraced(function* (id: SnapshotId, place: number, completedAt: string) {
  const home = yield* Home
  const previous = yield* readSnapshot(home.snapshot(gameId, nightId(place)))
  const products = Array.from({ length: place + 2 }, (_, index) => card(index + 1))
  const snapshot = yield* snapshotOf(id, { products, completedAt }, previous)
  yield* diffSnapshots(previous, snapshot, home.changes(gameId, id))
  return snapshot
})

export const corrected = SnapshotId.make("20260504T090000000Z-0000")

/** Publishes night 4 again with one card more, as if a refused record were accepted now. */
export const replayLastNight = Effect.gen(function* () {
  const begun = yield* beginRun("replay")
  const snapshot = yield* laterSnapshot(corrected, 4, `${dayOf(4)}T03:00:00.000Z`)
  yield* publishAs(begun, snapshot, { kind: "replay", why: null })
}).pipe(Effect.scoped)

export const held = SnapshotId.make("20260503T120000000Z-0000")

/** Publishes a snapshot of day 3 that was held: what came after it is taken back. */
export const releaseLate = Effect.gen(function* () {
  const { folder } = yield* laterSnapshot(held, 3, `${dayOf(3)}T12:00:00.000Z`)
  yield* writeHeldBack(folder, { reasons: ["it looked odd"] })
  yield* runRelease({ gameId, wanted: held, why: null, takesBack: true })
})
