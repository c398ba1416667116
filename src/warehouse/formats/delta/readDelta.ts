import { Option, Schema, Effect } from "effect"
import type { DatedFile } from "../../drop/joinFiles.ts"
import { type AddFile, type DeltaTable, normalizePath, evolvedMetaData } from "./DeltaTable.ts"
import { type DropAt, tableName } from "../../drop/Drop.ts"
import type { ExportTable } from "../../drop/exportTables.ts"
import { findMissingDays, type ReadTable } from "../../drop/readBack.ts"
import { deltaLog } from "./deltaLog.ts"

const Bounds = Schema.optional(Schema.NullOr(Schema.Struct({ snapshot_date: Schema.optional(Schema.String) })))
const Statistics = Schema.fromJsonString(
  Schema.Struct({ numRecords: Schema.Int, minValues: Bounds, maxValues: Bounds })
)

/** A file of a table, with its last day. */
interface SpanningFile extends DatedFile {
  readonly until: string
}

/** Returns the day of a file; null = it has several. In a table partitioned by game, the day is in the file's path. */
export const fileDay = (path: string, { partitionValues: values }: AddFile): string | null =>
  values["snapshot_date"] ?? /(?:^|\/)snapshot_date=([^/]*)\//.exec(path)?.[1] ?? null

/** Returns a file of a table, by its path below the table's folder. */
export const liveFile = (name: string, path: string, file: AddFile): SpanningFile => {
  const isOutside = /^\w+:|^\/|(^|\/)\.\.(\/|$)/.test(path)
  const recorded = Option.getOrUndefined(Schema.decodeUnknownOption(Statistics)(file.stats))
  const dt = fileDay(path, file)
  return {
    game: file.partitionValues["game_id"] ?? "",
    dt,
    from: dt ?? recorded?.minValues?.snapshot_date ?? "",
    until: dt ?? recorded?.maxValues?.snapshot_date ?? "9999-12-31",
    path: `${name}/${path}`,
    rows: recorded?.numRecords ?? 0,
    bytes: file.size,
    fault: isOutside ? `its file is outside the export: ${path}` : null
  }
}

export const liveFiles = ({ files, name }: DeltaTable): ReadonlyArray<SpanningFile> =>
  [...files].map(([path, file]) => liveFile(name, path, file))

export const readDelta = Effect.fnUntraced(function* ({ session, stage, to }: DropAt, table: ExportTable) {
  const name = tableName(table)
  const log = deltaLog(to, stage)
  const found = yield* log.find(session, name)
  if (found === null) return null
  yield* evolvedMetaData(table, found.table.metaData)
  const live = liveFiles(found.table)
  const commits = yield* log.commits(found.table)
  const recorded = commits.flatMap((actions) =>
    actions.flatMap(({ commitInfo }) => {
      const facts = commitInfo?.operationParameters
      return facts == null ? [] : [{ facts, isEmptied: commitInfo?.operation === "DELETE" }]
    })
  )
  const earlier = commits.flatMap((actions) =>
    actions.flatMap(({ add }) => (add == null ? [] : [normalizePath(add.path)]))
  )
  const ever = new Set([...found.table.files.keys(), ...found.table.removed.keys(), ...earlier])
  return {
    live,
    absent: findMissingDays(live, recorded),
    named: (paths) => Effect.succeed(paths.filter((path) => ever.has(path.slice(name.length + 1))))
  } satisfies ReadTable
})
