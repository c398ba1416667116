import { join } from "node:path"
import { recordOfFile } from "../../store/home/disk.ts"
import { Effect } from "effect"
import { type Session, sqlText, withoutNul } from "../../store/lake/duckdb/Lake.ts"
import { contractVersion } from "../../feed/schema/snapshotTables.ts"
import type { DropNight } from "./Drop.ts"
import { type Decimals, type ExportTable, type ExportColumn, quoted } from "./exportTables.ts"
import { Fault } from "../../feed/contract/Fault.ts"

const duckdbTypes: Readonly<Record<string, string>> = { INT32: "integer", INT64: "bigint", TIMESTAMP: "timestamptz" }

/** Returns DuckDB's name of a column type in exports. */
export const duckdbType = ({ type }: ExportColumn): string => duckdbTypes[type] ?? type

/** A night of a day, and the SQL of a table's rows in it. */
export interface NightSelect {
  /** Null: the rows belong to no night. */
  readonly snapshot: string | null
  readonly seenAt: string
  readonly sql: string
  /** The source file that is already sorted by the table's key; null = the rows need sorting. */
  readonly sortedFile: string | null
}

/** SQL of a column's value. A time as text is ISO 8601; other texts lose characters that some engine lacks. */
const selectValue = (column: ExportColumn): string => {
  if (column.type === "VARCHAR" && column.unit === "UTC")
    return `strftime(${quoted(column.lakeName)}::timestamptz, '%Y-%m-%dT%H:%M:%S.%fZ')`
  const value = `${quoted(column.lakeName)}::${duckdbType(column)}`
  return column.type === "VARCHAR" ? withoutNul(value) : value
}

/** SQL of a table's rows of a day's nights, with the export's columns and types, sorted if `isSorted`. */
export const partitionSelect = (table: ExportTable, nights: ReadonlyArray<NightSelect>, isSorted: boolean): string => {
  const columns = table.columns.map((column) => `${selectValue(column)} as ${quoted(column.name)}`)
  if (nights.length === 0) {
    const nothing = table.columns.map((column) => `null::${duckdbType(column)} as ${quoted(column.name)}`)
    return `select ${nothing.join(", ")} where false`
  }
  const selects = nights.map(
    ({ seenAt, snapshot, sql }) =>
      `select ${columns.join(", ")} from (
         select r.*, ${sqlText(seenAt.slice(0, 10))} as snapshot_date, ${snapshot === null ? "null" : sqlText(snapshot)} as snapshot, ${sqlText(seenAt)} as read_at
         from (${sql}
         ) r
       )`
  )
  // Within one night its id is constant, and comparing such a text would take half of the sorting time.
  const key = table.key.slice(nights.length > 1 ? 1 : 2)
  const order = key.length === 0 || !isSorted ? "" : ` order by ${key.map(quoted).join(", ")}`
  return `from (${selects.join("\nunion all\n")})${order}`
}

export type Compression = "snappy" | "zstd"

export interface Partition {
  readonly table: ExportTable
  readonly gameId: string
  readonly dt: string
  readonly nights: ReadonlyArray<DropNight>
  readonly selects: ReadonlyArray<NightSelect>
  /** The number of rows on record in the home; null = not counted. */
  readonly expectedRows: number | null
  /** True if a night was pruned, so that these rows come from the history. */
  readonly isFromHistory: boolean
  /** True if the existing file does not match its manifest. */
  readonly isDamaged: boolean
}

export interface DropFormat {
  readonly compression: Compression
  readonly decimals: Decimals
}

/** parquetjs-lite, the target of text mode, silently misreads repeated values of a larger dictionary. */
const smallDictionary = ", dictionary_size_limit 256"

/**
 * V1 pages and dictionaries of the first Parquet version, which every reader supports; statistics are always written.
 * Larger row groups take 20 % longer and save 1 % of the bytes.
 */
export const parquetOptions = (
  { columns, name }: ExportTable,
  { compression, decimals, inOrder }: DropFormat & { readonly inOrder: boolean },
  about: Readonly<Record<string, string>>
) => {
  const ids = columns.map((column) => `"${column.name}": ${column.fieldId}`)
  const facts = Object.entries({ table: name, contract_version: String(contractVersion), ...about })
  return `(format parquet, compression ${compression}, parquet_version v1, write_bloom_filter false,
    row_group_size 122880${inOrder ? "" : ", row_group_size_bytes '128MB'"}${decimals === "text" ? smallDictionary : ""}, field_ids {${ids.join(", ")}},
    kv_metadata {${facts.map(([key, value]) => `"cardlake.${key}": ${sqlText(value)}`).join(", ")}})`
}

/**
 * True if the rows are already sorted, because sorting takes as long as writing. DuckDB can either preserve the order
 * or limit the bytes of a row group; the source file's row groups are small enough.
 */
const isInOrder = Effect.fnUntraced(function* (session: Session, selects: ReadonlyArray<NightSelect>) {
  const [one, ...others] = selects
  if (one === undefined || one.sortedFile === null || others.length > 0) return false
  const [found] = yield* session.rows(
    `Read ${one.sortedFile}`,
    `select coalesce(max(bytes), 0) <= 100e6 as is_small from (
       select sum(total_uncompressed_size) as bytes from parquet_metadata(${sqlText(one.sortedFile)}) group by row_group_id
     )`
  )
  return found?.["is_small"] === true
})

/** Sets the order for a run and resets it afterwards, because it is global and ordered loads take more memory. */
const withOrder = <A, E>(session: Session, isKept: boolean, run: Effect.Effect<A, E>) =>
  isKept
    ? Effect.ensuring(
        Effect.andThen(session.run("Preserve the order", "set preserve_insertion_order = true"), run),
        Effect.ignore(session.run("Ignore the order", "set preserve_insertion_order = false"))
      )
    : run

/** Writes a table's rows of a day to a file in the stage, counts and hashes it. */
export const stagePartition = Effect.fn("stagePartition")(function* (
  session: Session,
  { stage, ...written }: DropFormat & { readonly stage: string },
  { dt, expectedRows, gameId, isDamaged, isFromHistory, nights, selects, table }: Partition
) {
  const file = join(stage, `${table.name}.parquet`)
  const snapshots = [...new Set(selects.flatMap(({ snapshot }) => snapshot ?? []))]
  const about = {
    game: gameId,
    dt,
    snapshots: snapshots.join(","),
    deployments: nights.map(({ deploymentId }) => deploymentId ?? "").join(","),
    ...(isFromHistory ? { from_history: "true" } : {})
  }
  const inOrder = yield* isInOrder(session, selects)
  const [copied] = yield* withOrder(
    session,
    inOrder,
    session.rows(
      `Write ${table.name} of ${gameId}, ${dt}`,
      `copy (${partitionSelect(table, selects, !inOrder)}) to ${sqlText(file)} ${parquetOptions(table, { ...written, inOrder }, about)}`
    )
  )
  const rows = Number(copied?.["Count"])
  if (expectedRows !== null && rows !== expectedRows) {
    return yield* new Fault(
      "RowsMissing",
      `${table.name} of ${gameId}, ${dt}, has ${rows} rows instead of ${expectedRows}. Check the home with: cardlake doctor`
    )
  }
  const { sha256, sizeBytes: bytes } = yield* recordOfFile(file)
  return { table, gameId, dt, snapshots, file, rows, bytes, sha256, isDamaged, isFromHistory }
})

/** A partition's staged file: written, counted and hashed. */
export type StagedPartition = Effect.Success<ReturnType<typeof stagePartition>>
