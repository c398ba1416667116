import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Destination } from "../../src/warehouse/destination/Destination.ts"
import { folderDestination } from "../../src/warehouse/destination/folderDestination.ts"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"
import type { Placing } from "../../src/warehouse/drop/ExportFormat.ts"
import { stagePartition } from "../../src/warehouse/drop/stagePartition.ts"
import { scratchSession, sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { gameId } from "../store/lake/invented.ts"
import { filesOf, dayOf, nightId } from "./FourNights.ts"

export const today = exportTables("exact").find(({ name }) => name === "products")

/** Exports day 1 of `products` as a release would that knew fewer columns. */
export const exportAsBefore = Effect.fnUntraced(function* <E, E2, R>(
  folder: string,
  drop: string,
  openIn: (to: Destination, stage: string) => Effect.Effect<Placing<E>, E2, R>
) {
  assert.isDefined(today)
  const to = folderDestination(folder)
  const stage = yield* to.stage
  const table = { ...today, columns: today.columns.slice(0, -3) }
  const [path = ""] = filesOf(drop, "products")
  const kept = table.columns.filter(({ lakeName }) => !["snapshot_date", "snapshot", "read_at"].includes(lakeName))
  const columns = kept.map(({ lakeName, name }) => `"${name}" as "${lakeName}"`)
  const sql = `select ${columns.join(", ")} from read_parquet(${sqlText(path)}, hive_partitioning = false)`
  const { place, commitDay } = yield* openIn(to, stage)
  const session = yield* scratchSession
  const partition = yield* stagePartition(
    session,
    { compression: "snappy", decimals: "exact", stage },
    {
      table,
      gameId,
      dt: dayOf(1),
      nights: [],
      selects: [{ snapshot: nightId(1), seenAt: `${dayOf(1)}T03:00:00.000Z`, sql, sortedFile: null }],
      expectedRows: 2,
      isFromHistory: false,
      isDamaged: false
    }
  )
  yield* place(session, partition)
  yield* commitDay
}, Effect.scoped)
