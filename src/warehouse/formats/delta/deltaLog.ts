import { Effect } from "effect"
import type { Session } from "../../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../../destination/Destination.ts"
import { CommitLost, TableUnfit } from "../../drop/exportTables.ts"
import { actionLines, protocol, readActions, type Action } from "./actions.ts"
import { logFile, readCheckpoint, writeCheckpoint } from "./checkpoint.ts"
import { withActions, type DeltaTable } from "./DeltaTable.ts"

/** A writer that had to read this many commits leaves a checkpoint, so that the next one reads fewer. */
const manyCommits = 10

/** The actions of a commit; null = there is no such version. */
const read = Effect.fnUntraced(function* (to: Destination, name: string, version: number) {
  const path = logFile(name, version, "json")
  const text = yield* to.read(path)
  if (text === null) return null
  return yield* Effect.mapError(
    readActions(text.split("\n").filter((line) => line.trim() !== "")),
    () =>
      new TableUnfit({
        format: "Delta",
        table: name,
        reason: `has a commit that Cardlake cannot read: ${to.root}/${path}`,
        next: "If another program wrote it, undo that with it; else export to another destination"
      })
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
      return yield* new TableUnfit({
        format: "Delta",
        table: name,
        reason: `has a protocol (${has}) that Cardlake does not write`,
        next: "Another program raised it. Export to another destination, or take the table back with that program"
      })
    }
    return { table: { ...table, metaData }, commitsRead: table.version - checkpoint.version }
  })

  return {
    /** A table for reading; null = there is none. */
    find,
    /** A table for writing. */
    open: Effect.fnUntraced(function* (session: Session, name: string) {
      const found = yield* find(session, name)
      if (found !== null && found.commitsRead >= manyCommits) yield* writeCheckpoint(to, session, stage, found.table)
      return found?.table ?? null
    }),
    /** The table after the commit. Readers see all of a commit, or none of it. */
    commit: Effect.fnUntraced(function* (before: DeltaTable, actions: ReadonlyArray<Action>) {
      const version = before.version + 1
      const text = yield* actionLines(actions)
      if (!(yield* to.create(logFile(before.name, version, "json"), text))) {
        return yield* new CommitLost({ format: "Delta", table: before.name })
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
