import { dirname, join } from "node:path"
import { Effect } from "effect"
import { tellWork } from "../store/home/WorkProgress.ts"
import { type Session, sqlText, scratchSession } from "../store/lake/duckdb/Lake.ts"
import { ofDestination } from "./destination/Destination.ts"
import { compactingFile, listOwners, tableName } from "./drop/Drop.ts"
import { exportTables } from "./drop/exportTables.ts"
import { joinSizes, type CompactedTable, type JoinSizes } from "./drop/joinFiles.ts"
import { sweepLeftovers } from "./drop/sweepLeftovers.ts"
import { readDropAt } from "./readDrop.ts"
import { Fault } from "../feed/contract/Fault.ts"

/** Lets DuckDB spill to the stage, as there may be no home. A DuckDB that has already spilled keeps its folder. */
const spillingTo = (session: Session, stage: string) =>
  Effect.gen(function* () {
    const [found] = yield* session.rows(
      "Read the folder for temporary files",
      "select current_setting('temp_directory') as folder"
    )
    const spillTo = (folder: string) =>
      Effect.ignore(session.run("Set the folder for temporary files", `set temp_directory = ${sqlText(folder)}`))
    yield* Effect.acquireRelease(spillTo(join(stage, "spill")), () => spillTo(String(found?.["folder"])))
  })

export interface CompactedDrop {
  readonly to: string
  readonly tables: ReadonlyArray<CompactedTable>
  /** Tables that another program changed, or that are damaged, with the reason. Nothing was written to them. */
  readonly leftAlone: ReadonlyArray<{ readonly table: string; readonly reason: string }>
}

/**
 * Joins the small files of an export's past months, table by table, each in one commit that changes no row. Reads
 * neither the home nor the export's states, so it may be killed or repeated at any time.
 */
export const compactDrop = Effect.fn("compactDrop")(function* (address: string, sizes: JoinSizes = joinSizes) {
  const { drop, keptAs, to } = yield* readDropAt(address)
  if (keptAs.tables === null) {
    const reason = `${address} has plain files, one per day, which loaders rely on, so they cannot be compacted. Compact an export with --format iceberg, delta or ducklake`
    return yield* new Fault("ExportRefused", reason)
  }
  const session = yield* scratchSession
  const stage = yield* to.stage
  yield* spillingTo(session, stage)
  const tables: Array<CompactedTable> = []
  const leftAlone: Array<CompactedDrop["leftAlone"][number]> = []
  const all = exportTables(drop.decimals)
  const at = { session, to, drop, stage }
  const { compact, read } = yield* keptAs.tables.open(at)
  const hasDied = (yield* to.read(compactingFile)) !== null
  const owners = yield* listOwners(to, drop)
  const { dayFolder } = keptAs.tables
  yield* to.write(compactingFile, "{}\n")
  for (const [index, table] of all.entries()) {
    yield* tellWork(table.name, index / all.length)
    const done = yield* compact(table, sizes).pipe(
      Effect.mapError(ofDestination(to, stage)),
      Effect.catchTag("TableUnfit", ({ message: reason }) =>
        Effect.sync(() => {
          leftAlone.push({ table: table.name, reason })
          return null
        })
      )
    )
    if (done === null) continue
    tables.push(done)
    if (!hasDied) continue
    const folders = owners.map((gameId) => `${tableName(table)}/${dirname(dayFolder(gameId, "day"))}`)
    yield* sweepLeftovers(at, { folders, readTable: read, table })
  }
  yield* to.remove(compactingFile)
  return { to: address, tables, leftAlone } satisfies CompactedDrop
}, Effect.scoped)
