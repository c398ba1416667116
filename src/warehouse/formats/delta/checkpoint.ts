import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { type Session, sqlText } from "../../../store/lake/duckdb/Lake.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { Destination } from "../../destination/Destination.ts"
import { TableUnfit } from "../../drop/exportTables.ts"
import { actionLines, readActions } from "./actions.ts"
import { actionsOf, unreadTable, withActions, type DeltaTable } from "./DeltaTable.ts"

const asCheckpoint = readFileSync(new URL("checkpoint.sql", import.meta.url), "utf8")

export const logFile = (table: string, version: number, ending: string) =>
  `${table}/_delta_log/${String(version).padStart(20, "0")}.${ending}`
const lastFile = (table: string) => `${table}/_delta_log/_last_checkpoint`

/** Where readers learn of the last checkpoint. One in several parts is of another program. */
const LastCheckpoint = Schema.fromJsonString(
  Schema.Struct({ version: Schema.Int, size: Schema.Int, parts: Schema.optional(Schema.NullOr(Schema.Int)) })
)

/** Writes all that the commits say so far into one Parquet file, so that nobody has to read them one by one. */
export const writeCheckpoint = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  table: DeltaTable
) {
  const actions = actionsOf(table)
  const lines = join(stage, "actions.ndjson")
  const file = join(stage, "checkpoint.parquet")
  const text = yield* actionLines(actions)
  yield* lakeStep(`Write ${lines}`, () => writeFile(lines, text))
  yield* session.set({ delta_actions: lines })
  yield* session.run(
    `Write a checkpoint of ${table.name}`,
    `copy (${asCheckpoint}) to ${sqlText(file)} (format parquet)`
  )
  yield* to.put(logFile(table.name, table.version, "checkpoint.parquet"), file)
  const last = yield* Effect.orDie(
    Schema.encodeEffect(LastCheckpoint)({ version: table.version, size: actions.length })
  )
  yield* to.write(lastFile(table.name), last)
})

/** A table as of its last checkpoint; without any, of version -1. */
export const readCheckpoint = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  name: string
) {
  const none = unreadTable(name)
  const text = yield* to.read(lastFile(name))
  if (text === null) return none
  const unfit = (reason: string) => {
    const next = "Write a checkpoint with the program that wrote it, or export to an empty destination"
    return new TableUnfit({ format: "Delta", table: name, reason, next })
  }
  const last = yield* Effect.mapError(Schema.decodeUnknownEffect(LastCheckpoint)(text), () =>
    unfit(`has a ${to.root}/${lastFile(name)} that Cardlake cannot read`)
  )
  const path = logFile(name, last.version, "checkpoint.parquet")
  const file = yield* to.fetch(path, stage)
  if (file === null) return yield* unfit(`has no ${to.root}/${path}`)
  const rows = yield* session
    .rows(`Read ${path}`, `select to_json(c)::varchar as action from read_parquet(${sqlText(file)}) c`)
    .pipe(Effect.mapError(() => unfit(`has a checkpoint that cannot be read: ${to.root}/${path}`)))
  const actions = yield* Effect.mapError(readActions(rows.map(({ action }) => String(action))), () =>
    unfit(`has a checkpoint that Cardlake cannot read: ${to.root}/${path}`)
  )
  return withActions(none, last.version, actions)
})
