import { Effect, type FileSystem } from "effect"
import { writeFileSync } from "node:fs"
import type { SnapshotId } from "../../src/feed/contract/Ids.ts"
import type { BucketSettings } from "../../src/store/home/bucket/openBucket.ts"
import type { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import type { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import type { Home } from "../../src/store/home/Home.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { gameId } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { exportTo, filesOf, dayOf, nightId } from "./FourNights.ts"
import { loadRates } from "./readAgain.ts"
import { held, releaseLate, replayLastNight } from "./laterSnapshot.ts"

const rates = (...ofDays: ReadonlyArray<string>) =>
  loadRates("Date,USD", ...ofDays.map((rate, index) => `${dayOf(index + 1)},${rate}`))

const compact = showing(Date.parse("2026-06-02T05:30:00Z"))(runCompact([]))
const prune = runPrune({ days: null, last: 1, monthly: false }, false)

type Services = BucketSettings | FileSystem.FileSystem | Home | IcebergSettings | Lake

interface Step {
  readonly what: string
  /** Days whose partitions it changes. */
  readonly days: number
  readonly run: Effect.Effect<void, never, Services>
}

/**
 * Eight exports of these tables into a folder, between which all happens that changes a drop. Needs a copy of the four nights.
 */
export const eightExports = (folder: string, tables: ReadonlyArray<string>): ReadonlyArray<Step> => {
  const exported = exportTo(folder, { tables })
  const firstDays = { since: null, until: dayOf(2), backfill: true }
  const damaged = Effect.sync(() => writeFileSync(filesOf(folder, "products")[0] ?? "", "rotten"))
  const step = (what: string, days: number, run: Effect.Effect<unknown, unknown, Services>): Step => ({
    what,
    days,
    run: Effect.asVoid(Effect.orDie(run))
  })
  const backTo = (wanted: SnapshotId) => runRollback({ gameId, wanted, why: null })
  return [
    step(
      "the first two nights",
      2,
      Effect.andThen(rates("1.08", "1.09"), exportTo(folder, { tables, span: firstDays }))
    ),
    step("the next two", 2, exported),
    step("a replay of the last", 1, Effect.andThen(replayLastNight, exported)),
    step("a late release, which takes back day 4", 2, Effect.andThen(releaseLate, exported)),
    step(
      "a rollback to day 2, and a corrected rate of day 1",
      2,
      Effect.all([backTo(nightId(2)), rates("1.07", "1.09"), exported])
    ),
    step("a compaction", 0, Effect.andThen(compact, exported)),
    step("the return of day 3, and a prune", 1, Effect.all([backTo(held), prune, exported])),
    // That night is pruned: what it is written from has not all of it.
    step("a repair of day 1", 1, Effect.all([damaged, verifyDrop(folder), exported]))
  ]
}
