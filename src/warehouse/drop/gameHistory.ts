import { Effect } from "effect"
import { download } from "../../feed/reading/RemoteFiles.ts"
import { sqlText, type Session } from "../../store/lake/duckdb/Lake.ts"
import { historyRows } from "../../store/lake/history/historyFiles.ts"
import { versionFiles, type Night } from "../../store/lake/history/nights.ts"
import { partTables } from "../../feed/schema/partTables.ts"
import { publishHistory, publishReadings } from "../../store/lake/history/publishHistory.ts"
import { fillRuns } from "../../store/lake/publish/fillLedgers.ts"
import { lakeMadeFrom } from "../../store/lake/publish/madeFrom.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { runsTable } from "../../store/lake/history/historyTables.ts"
import { noRows } from "../../store/lake/snapshot/snapshotRows.ts"
import { dropReadings } from "./exportTables.ts"

/** A complete reading of a game, with or without changes. */
export interface Reading {
  /** The night, or the earlier one that the feed still matched. */
  readonly snapshot: string
  readonly seenAt: string
  readonly isConfirmation: boolean
}

const tables = ["readings", "reused_ids"]

/** Copies a game's tables from the lake; false if other nights or another program built it. */
const copied = Effect.fnUntraced(function* (session: Session, gameId: string, nights: ReadonlyArray<Night>) {
  const lake = yield* openLake
  if ((yield* lakeMadeFrom(lake)).size === 0) return false
  const own = `where game_id = ${sqlText(gameId)}`
  const found = yield* lake.rows(
    "Read the nights of the lake",
    `select snapshot || ' ' || strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') as night from nights ${own} order by place`
  )
  const wanted = nights.map(({ seenAt, snapshot }) => `${snapshot} ${new Date(seenAt).toISOString()}`)
  if (found.map(({ night }) => night).join() !== wanted.join()) return false
  const copies = tables.map((table) => `create table ${table} as from lake.${table} ${own}`)
  yield* session.run(`Copy the tables of ${gameId} from the lake`, copies.join(";\n"))
  return true
}, Effect.scoped)

/** Builds the tables from the Parquet files, as a publication does. */
const madeAgain = Effect.fnUntraced(function* (session: Session, gameId: string, nights: ReadonlyArray<Night>) {
  // Neither table depends on prices.
  const versions = partTables.filter(({ entity }) => entity !== null)
  const files = new Map(versions.map((table) => [table.name, historyRows(table, nights)]))
  yield* download(...versionFiles(nights))
  yield* session.run(
    "Create empty history tables",
    `create schema files; create table ${runsTable.name} as ${noRows(runsTable.columns)}`
  )
  yield* publishHistory(session, nights, files)
  yield* fillRuns(session)
  yield* publishReadings(session, [gameId])
})

/** Creates a game's tables `readings` and `reused_ids` in the session. Returns the readings, oldest first. */
export const gameHistory = Effect.fn("gameHistory")(function* (
  session: Session,
  gameId: string,
  nights: ReadonlyArray<Night>
) {
  const isCopied = yield* Effect.catchTag(copied(session, gameId, nights), ["LakeError", "NoLake"], () =>
    Effect.succeed(false)
  )
  if (!isCopied) yield* madeAgain(session, gameId, nights)
  const rows = yield* session.rows(`Read the readings of ${gameId}`, dropReadings.query)
  return rows.map(({ isConfirmation, seenAt, snapshot }): Reading => ({
    snapshot: String(snapshot),
    seenAt: String(seenAt),
    isConfirmation: isConfirmation === true
  }))
})
