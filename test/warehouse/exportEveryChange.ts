import { Effect } from "effect"
import type { FormatName } from "../../src/warehouse/formats.ts"
import { readDrop } from "../../src/warehouse/readDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { contractsIn, exportTo, dayOf, FourNights, nightId } from "./FourNights.ts"
import { exportAsBefore } from "./exportAsBefore.ts"
import { replayLastNight } from "./laterSnapshot.ts"

/** The span of a nightly export, whose drop begins on day 2. */
export const fromDay2 = { span: { since: dayOf(2), until: null, backfill: false } }

/**
 * Does all that can happen to tables: `products` gets two columns after day 1, a replay replaces
 * day 4, and days 3 and 4 are taken back. Needs a copy of the four nights.
 */
export const exportEveryChange = Effect.fnUntraced(function* (folder: string, format: FormatName) {
  const { drop } = yield* FourNights
  const others = contractsIn(drop).flatMap(({ table }) => (table === "products" ? [] : [table]))
  yield* exportTo(folder, { format, tables: others, span: { since: null, until: dayOf(1), backfill: true } })
  yield* exportAsBefore(
    folder,
    drop,
    Effect.fnUntraced(function* (to, stage) {
      const made = yield* readDrop(to)
      return yield* made === null ? Effect.die(new Error("There is no drop")) : made.keptAs.write(to, made.drop, stage)
    })
  )
  yield* exportTo(folder, fromDay2)
  yield* replayLastNight
  yield* exportTo(folder, fromDay2)
  yield* runRollback({ gameId, wanted: nightId(2), why: null })
  yield* exportTo(folder, fromDay2)
})
