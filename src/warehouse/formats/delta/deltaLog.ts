import { Effect, Schema } from "effect"
import { type Session, sqlText } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { commitConflict, tableUnfit } from "../../drop/exportTables.ts"
import {
  actionLines,
  protocol,
  readActions,
  type Action,
  withActions,
  type DeltaTable,
  listActions,
  unreadTable
} from "./DeltaTable.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { join } from "node:path"
import { lakeStep } from "../../../feed/reading/LakeError.ts"

const asCheckpoint = ownText(new URL("checkpoint.sql", import.meta.url))

export const logFile = (table: string, version: number, ending: string) =>
  `${table}/_delta_log/${String(version).padStart(20, "0")}.${ending}`
const lastFile = (table: string) => `${table}/_delta_log/_last_checkpoint`

/** The file that names the last checkpoint. A checkpoint in several parts is from another program. */
const LastCheckpoint = Schema.fromJsonString(
  Schema.Struct({ version: Schema.Int, size: Schema.Int, parts: Schema.optional(Schema.NullOr(Schema.Int)) })
)

/** Writes the state after all commits into one Parquet file, so that readers need not read each commit. */
export const writeCheckpoint = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  table: DeltaTable
) {
  const actions = listActions(table)
  const lines = join(stage, "actions.ndjson")
  const file = join(stage, "checkpoint.parquet")
  const text = yield* actionLines(actions)
  yield* lakeStep(`Write ${lines}`, (disk) => disk.write(lines, text))
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

/** Reads a table as of its last checkpoint; version -1 if there is none. */
export const readCheckpoint = Effect.fnUntraced(function* (
  to: Destination,
  session: Session,
  stage: string,
  name: string
) {
  const none = unreadTable(name)
  const text = yield* to.read(lastFile(name))
  if (text === null) return none
  const next = "Write a checkpoint with the program that wrote the table, or export to an empty destination"
  const unfit = (reason: string) => tableUnfit("Delta", name, `${reason}. ${next}`)
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

/** The number of commits after which a writer leaves a checkpoint for later ones. */
const manyCommits = 10

/** Reads the actions of a commit; null = the version does not exist. */
const read = Effect.fnUntraced(function* (to: Destination, name: string, version: number) {
  const path = logFile(name, version, "json")
  const text = yield* to.read(path)
  if (text === null) return null
  return yield* Effect.mapError(readActions(text.split("\n").filter((line) => line.trim() !== "")), () =>
    tableUnfit(
      "Delta",
      name,
      `has a commit that Cardlake cannot read: ${to.root}/${path}. If another program wrote it, undo the commit with that program. Otherwise export to another destination`
    )
  )
})

/** `_delta_log`: one file per commit. Each number is written only once. */
export const deltaLog = (to: Destination, stage: string) => {
  const replay = Effect.fnUntraced(function* (from: DeltaTable) {
    const later: Array<Action> = []
    for (let version = from.version; ; version++) {
      const actions: ReadonlyArray<Action> | null = yield* read(to, from.name, version + 1)
      if (actions === null) return withActions(from, version, later)
      later.push(...actions)
    }
  })

  const find = Effect.fnUntraced(function* (session: Session, name: string) {
    const checkpoint = yield* readCheckpoint(to, session, stage, name)
    const table = yield* replay(checkpoint)
    if (table.version < 0) return null
    const { metaData, protocol: found } = table
    const isKnown = found !== null && found.minReaderVersion <= protocol.minReaderVersion
    if (metaData === null || !isKnown || found.minWriterVersion > protocol.minWriterVersion) {
      const has = `reader ${found?.minReaderVersion ?? "?"}, writer ${found?.minWriterVersion ?? "?"}`
      const next = "Another program raised it. Export to another destination, or downgrade the table with that program"
      return yield* tableUnfit("Delta", name, `has a protocol (${has}) that Cardlake does not support. ${next}`)
    }
    return { table: { ...table, metaData }, commitsRead: table.version - checkpoint.version }
  })

  return {
    /** Opens a table for reading; null = it does not exist. */
    find,
    /** Opens a table for writing. */
    open: Effect.fnUntraced(function* (session: Session, name: string) {
      const found = yield* find(session, name)
      if (found !== null && found.commitsRead >= manyCommits) yield* writeCheckpoint(to, session, stage, found.table)
      return found?.table ?? null
    }),
    /** Returns the table after an atomic commit. */
    commit: Effect.fnUntraced(function* (before: DeltaTable, actions: ReadonlyArray<Action>) {
      const version = before.version + 1
      const text = yield* actionLines(actions)
      if (!(yield* to.create(logFile(before.name, version, "json"), text))) {
        return yield* commitConflict("Delta", before.name)
      }
      return withActions(before, version, actions)
    }),
    /** The actions of each commit, oldest first, without the commits that another program has removed. */
    commits: Effect.fnUntraced(function* ({ name, version }: DeltaTable) {
      const all = yield* Effect.forEach(
        Array.from({ length: version + 1 }, (_, at) => at),
        (at) => read(to, name, at)
      )
      return all.filter((actions) => actions !== null)
    })
  }
}
