import { join, basename } from "node:path"
import { Effect } from "effect"
import { FileDamaged, isThere, verifyFile, verifyKept, type FileOnRecord, filesOnRecord } from "../../home/disk.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { type Manifest, listParts, type SnapshotFolder, type PartFolder } from "../../home/Manifest.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { contractVersion, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import type { Column } from "../../../feed/schema/tableFile.ts"

export const noRows = (columns: ReadonlyArray<Pick<Column, "name" | "type">>): string => {
  const nulls = columns.flatMap(({ name, type }) => (type === "" ? [] : [`null::${type} as ${name}`]))
  return `select ${nulls.join(", ")} where false`
}

/** Returns SQL of the hash of a row. DuckDB gives an empty list the hash of null, so that of its text stands for a list. */
export const rowHash = (columns: ReadonlyArray<Pick<Column, "name" | "type">>): string => {
  const values = columns.flatMap(({ name, type }) =>
    type === "" ? [] : [type.endsWith("[]") ? `to_json("${name}")` : `"${name}"`]
  )
  return `hash(${values.join(", ")})`
}

/**
 * Returns SQL of any release's rows in current form: missing columns are null, renamed ones have their current name.
 * Files of several releases need `union_by_name` or one select each.
 */
export const withCurrentColumns = (columns: ReadonlyArray<Column>, rows: string): string => {
  const typed = columns.filter(({ type }) => type !== "")
  const renamed = typed.flatMap(({ formerly, name, type }) =>
    formerly === null ? [] : [{ formerly: formerly.name, name, type }]
  )
  const known = [...typed, ...renamed.map(({ formerly, type }) => ({ name: formerly, type }))]
  const exclude = renamed.length === 0 ? "" : ` exclude (${renamed.map(({ formerly }) => formerly).join(", ")})`
  const replacements = renamed.map(({ formerly, name }) => `coalesce(${name}, ${formerly}) as ${name}`)
  const replace = replacements.length === 0 ? "" : ` replace (${replacements.join(", ")})`
  return `select *${exclude}${replace} from (${noRows(known)} union all by name ${rows})`
}

export const together = (selects: ReadonlyArray<string>) =>
  selects.filter((select) => select !== "").join("\nunion all by name\n")

/** A file and its contract version, or an earlier one. */
export interface WrittenFile {
  readonly file: string
  readonly contractVersion: number
}

const plain = "hive_partitioning = false"
const parquet = (files: ReadonlyArray<string>, options = plain) =>
  `read_parquet([${files.map(sqlText).join(", ")}], ${options})`

/** Returns SQL of rows with current columns; files that have them are read directly, earlier ones may lack some. */
export const currentRows = (
  columns: ReadonlyArray<Column>,
  files: ReadonlyArray<WrittenFile>,
  options?: string
): string => {
  const present = files.filter((one) => one.contractVersion === contractVersion).map(({ file }) => file)
  const earlier = files.filter((one) => one.contractVersion !== contractVersion).map(({ file }) => file)
  if (earlier.length === 0) return parquet(present, options)
  const old = withCurrentColumns(columns, `from ${parquet(earlier, `${options ?? plain}, union_by_name = true`)}`)
  return `(${together([present.length === 0 ? "" : `from ${parquet(present, options)}`, old])})`
}

/** The tables of a snapshot, in its folder or in a month. */
export interface SnapshotTables {
  readonly folder: string
  readonly manifest: Pick<Manifest, "gameId" | "snapshot" | "contractVersion">
}

/**
 * Returns SQL of a table of some snapshots, at most one per game, with current columns: from its own file, else from
 * the month's part. Fails if a snapshot has neither, unless it is older than the table.
 */
export const snapshotRows = Effect.fnUntraced(function* (snapshots: ReadonlyArray<SnapshotTables>, table: string) {
  const tableFile = ({ folder }: SnapshotTables) => join(folder, `${table}.parquet`)
  const { columns, since } = tableNamed(table)
  // Snapshots older than the table have no rows of it.
  const written = snapshots.filter(({ manifest }) => manifest.contractVersion >= since)
  if (written.length === 0) return noRows(columns)
  const own = written.filter((one) => isThere(tableFile(one)))
  yield* download(...own.map(tableFile))
  const files = own.map((one) => ({ file: tableFile(one), contractVersion: one.manifest.contractVersion }))
  const moved = yield* Effect.forEach(
    written.filter((one) => !isThere(tableFile(one))),
    (one) => partRows(one, table)
  )
  return together([files.length === 0 ? "" : `from ${currentRows(columns, files)}`, ...moved])
})

/** Returns SQL of a table's rows in a month's part, for a snapshot whose file or folder is missing. */
export const partRows = Effect.fnUntraced(function* (
  { folder, manifest }: { readonly folder: string; readonly manifest: Pick<Manifest, "gameId" | "snapshot"> },
  table: string
) {
  const { gameId, snapshot } = manifest
  const priced = priceTables.find((one) => one.name === table)
  const month = (yield* listParts(gameId)).find(({ part }) => part.nights.some((night) => night.snapshot === snapshot))
  if (priced === undefined || month === undefined) {
    const what = "it is missing, and no month of the history has its rows"
    return yield* new FileDamaged({ file: join(folder, `${table}.parquet`), what })
  }
  yield* download(join(month.folder, `${table}.parquet`))
  const rows = `from (
    select * exclude (snapshot, seen_at)
    from read_parquet(${sqlText(join(month.folder, `${table}.parquet`))}, hive_partitioning = false)
    where snapshot = ${sqlText(snapshot)}
    order by ${priced.order}
  )`
  return month.part.contractVersion === contractVersion ? rows : withCurrentColumns(tableNamed(table).columns, rows)
})

/** Returns a snapshot's files as recorded: its own, and the month's file for moved prices. */
export const snapshotFiles = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder) {
  const { gameId, snapshot, tables } = manifest
  const own = filesOnRecord(folder, tables)
  const prices = new Set(priceTables.map(({ name }) => `${name}.parquet`))
  const isMoved = ({ file }: FileOnRecord) => prices.has(basename(file)) && !isThere(file)
  const parts = own.some(isMoved) ? yield* listParts(gameId) : []
  const month = parts.find(({ part }) => part.nights.some((night) => night.snapshot === snapshot))
  const inMonth = month === undefined ? [] : partFiles(month)
  return own.map((one) =>
    isMoved(one) ? (inMonth.find(({ file }) => basename(file) === basename(one.file)) ?? one) : one
  )
})

export const partFiles = ({ folder, part }: PartFolder) => filesOnRecord(folder, part.tables)

/** True if two snapshots have the same content of a table, with the same columns. */
export const isSameTable = (a: SnapshotFolder, b: SnapshotFolder, table: string): boolean =>
  a.manifest.contractVersion === b.manifest.contractVersion &&
  a.manifest.tables[table] !== undefined &&
  a.manifest.tables[table].sha256 === b.manifest.tables[table]?.sha256

/**
 * Fails with `FileDamaged` if a file with a snapshot's rows does not match its record. Remote files of tables that are
 * read in snapshot `same` are not downloaded.
 */
export const verifySnapshot = Effect.fn("verifySnapshot")(function* (
  snapshot: SnapshotFolder,
  same: SnapshotFolder | null = null
) {
  const verify = (one: FileOnRecord) =>
    same !== null && isSameTable(snapshot, same, basename(one.file, ".parquet")) ? verifyKept(one) : verifyFile(one)
  yield* Effect.forEach(yield* snapshotFiles(snapshot), verify, { concurrency: 4, discard: true })
})
