import { Effect } from "effect"
import { diffSnapshots } from "../../../src/store/diff/diffSnapshots.ts"
import { Home } from "../../../src/store/home/Home.ts"
import type { SnapshotFolder } from "../../../src/store/home/Manifest.ts"
import { lockHome } from "../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../src/store/lake/publish/publish.ts"
import { type Said, snapshotOf } from "./handMadeReading.ts"
import { currentOf } from "./currentOf.ts"
import { gameId } from "./invented.ts"
import { idOf } from "../../idOf.ts"

/** When a night's reading is complete: one a day, from 2026-05-01. */
export const nightTime = (night: number) => `2026-05-${String(night + 1).padStart(2, "0")}T03:00:00.000Z`

/** Loads nights into an empty home, each compared with the one before; then publishes all. */
export const publishNights = Effect.fnUntraced(function* (said: ReadonlyArray<Said>) {
  const home = yield* Home
  const nights: Array<SnapshotFolder> = []
  for (const [night, words] of said.entries()) {
    const before = nights.at(-1)
    const id = idOf(`night${night}`)
    const snapshot = yield* snapshotOf(id, { completedAt: nightTime(night), ...words }, before ?? null)
    if (before !== undefined) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
    nights.push(snapshot)
  }
  const current = currentOf(
    gameId,
    nights.map(({ manifest }) => manifest.snapshot)
  )
  yield* publish(idOf("history"), current, yield* lockHome("nightly", idOf("history")))
  return nights
})
