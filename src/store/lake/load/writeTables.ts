import { join } from "node:path"
import { Effect } from "effect"
import {
  Lake,
  type Session,
  type Variable,
  sqlText,
  parquetFormat,
  giveBackMemory,
  withMoreMemory,
  threadsFor
} from "../duckdb/Lake.ts"
import { lakeMemory } from "../../../feed/rows/memoryBound.ts"
import type { QualityCheck } from "../../home/Manifest.ts"
import { snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { rowOrder, type TableFile } from "../../../feed/schema/tableFile.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { diskHere } from "../../../feed/disk/Disk.ts"
import type { Via } from "../../../feed/contract/Via.ts"
import { batchedColumns } from "../../../feed/rows/batch/TableBatch.ts"
import { feedFolders } from "../../../feed/rows/shredRound.ts"
import { priceLines } from "../../../feed/rows/shredLines.ts"

/** The folders of a game's batches and the way of reading. */
export interface GameBatches {
  readonly gameId: string
  readonly batches: string
}

const folders = ["", ...Object.values(feedFolders)]

/** Returns SQL of a table's shredded rows with all columns, unordered. */
export const shreddedRows = (
  { columns, name }: Pick<TableFile, "columns" | "name">,
  { batches, gameId }: GameBatches
): string => {
  const batched = new Set(batchedColumns(columns))
  const { exists, namesNow } = diskHere()
  const found = folders.map((folder) => join(batches, folder, name)).filter(exists)
  const hasRows = found.length > 0
  const selected = columns
    .filter(({ type }) => type !== "")
    .map((column) => {
      if (column.name === "game_id") return `${sqlText(gameId)} as game_id`
      if (!hasRows || !batched.has(column)) return `null::${column.type} as ${column.name}`
      // Batches store days as texts.
      return column.type === "date" ? `${column.name}::date as ${column.name}` : column.name
    })
  // Lists the files, because a pattern would misread a bracket in the home's name.
  const files = found.flatMap((folder) => namesNow(folder).map((name) => sqlText(join(folder, name))))
  const from = hasRows ? `from read_parquet([${files.join(", ")}], hive_partitioning = false)` : "where false"
  return `select ${selected.join(", ")} ${from}`
}

const ofFeeds = (name: string): string => ownText(new URL(`./${name}.sql`, import.meta.url))

/** SQL that joins the rows of feed files, by table. */
const joined: Readonly<Record<string, string>> = {
  products: ofFeeds("feedProducts"),
  source_prices: ofFeeds("feedPrices"),
  source_price_conditions: ofFeeds("feedPrices"),
  marketplace_prices: ofFeeds("feedPrices"),
  marketplace_price_conditions: ofFeeds("feedPrices"),
  drift: ofFeeds("feedDrift")
}

const view = (name: string, rows: string): string => `create or replace temp view ${name} as ${rows}`

/** Returns SQL of view `batch` with a table's rows. Joins what feed files split between them. */
export const openBatch = (table: TableFile, of: Pick<Written, "gameId" | "batches" | "via">): string => {
  const own = shreddedRows(table, of)
  const join = of.via === "feeds" ? joined[table.name] : undefined
  if (join === undefined) return view("batch", own)
  return [
    view("batch_products", shreddedRows(tableNamed("products"), of)),
    view("batch_expansions", shreddedRows(tableNamed("expansions"), of)),
    view("batch_price_lines", shreddedRows(priceLines, of)),
    view("own_rows", own),
    view("batch", join)
  ].join(";\n")
}

export interface Written extends GameBatches {
  readonly via: Via
  readonly folder: string
  readonly products: number
  /** Variables of a table's SQL. */
  readonly variables: Readonly<Record<string, Variable>>
}

/** Returns the columns of a key, without the constant game id unless it is the only one. */
const splitKey = (key: string): ReadonlyArray<string> => key.replace(/^game_id, /, "").split(", ")

/** Estimated rows per product in the largest table, that of prices. */
const rowsOfProduct = 5

/** Sorting more rows retains memory that the next table needs. */
const manyRows = 100_000

const writeTable = Effect.fnUntraced(function* (session: Session, table: TableFile, written: Written) {
  const file = join(written.folder, `${table.name}.parquet`)
  yield* session.run(`Read ${table.name}`, openBatch(table, written))
  const [copied] = yield* session.rows(
    `Write ${table.name}.parquet`,
    `copy (${table.query || `from batch order by ${rowOrder(table)}`}) to ${sqlText(file)} ${parquetFormat()}`
  )
  const opened = `from read_parquet(${sqlText(file)}, hive_partitioning = false)`
  yield* session.run(`Open ${table.name}.parquet`, `create or replace temp view ${table.name} as ${opened}`)
  const checked = yield* checkTable(session, table, Number(copied?.["Count"]) === 0)
  if (checked.rows > manyRows) yield* giveBackMemory
  return { name: table.name, file, ...checked }
})

/** Groups of tables in sequence: a table that reads another one follows it. */
const groups = snapshotTables.reduce<ReadonlyArray<ReadonlyArray<TableFile>>>((sofar, table) => {
  const isBefore = (group: ReadonlyArray<TableFile>) => group.some(({ name }) => table.reads.includes(name))
  return [...sofar.filter((group) => !isBefore(group)), [...sofar.filter(isBefore).flat(), table]]
}, [])

/** Maximum parallel tables. The end of a sort uses one core, so a second table uses the others if memory suffices. */
const maxTables = lakeMemory.threads === undefined ? 2 : 1

const writeAll = Effect.fnUntraced(function* (written: Written) {
  yield* giveBackMemory
  const lake = yield* Lake
  const opened = Effect.tap(lake.session, (session) => session.set(written.variables))
  const first = yield* opened
  yield* threadsFor(first, written.products * rowsOfProduct)
  const idle: Array<Session> = [first]
  const groupWritten = Effect.fnUntraced(function* (tables: ReadonlyArray<TableFile>) {
    const session = idle.pop() ?? (yield* opened)
    const tablesWritten = yield* Effect.forEach(tables, (table) => writeTable(session, table, written))
    idle.push(session)
    return tablesWritten
  })
  return (yield* Effect.forEach(groups, groupWritten, { concurrency: maxTables })).flat()
}, Effect.scoped)

/** Sorts the batches into a snapshot's Parquet files and checks each, with more memory if long texts need it. */
export const writeTables = (written: Written) => withMoreMemory(writeAll(written))

const unique = /^\((.+)\) is unique$/
const repeatedKeys = (table: string, key: string): string =>
  `(select count(*) from (select ${key} from ${table} group by all having count(*) > 1))`

/** Returns SQL that is true if the previous row's key is lower; null is the lowest value, and no row precedes the first. */
const isInOrder = ([column = "", ...rest]: ReadonlyArray<string>): string => {
  const previous = `previous_${column}`
  const isLower = `coalesce(${previous} < ${column}, ${previous} is null and ${column} is not null)`
  return rest.length === 0
    ? isLower
    : `${isLower} or (${previous} is not distinct from ${column} and (${isInOrder(rest)}))`
}

/** Runs the checks of a table's header on the written rows; null never violates a check. */
export const checkTable = Effect.fnUntraced(function* (session: Session, { checks, name }: TableFile, isEmpty = false) {
  if (isEmpty) return { rows: 0, checks: checks.map((check): QualityCheck => ({ table: name, check, violations: 0 })) }
  const keys = checks.map((check) => unique.exec(check)?.[1])
  const count = Effect.fnUntraced(function* (violationsOf: (key: string) => string, from: string) {
    const counts = checks.map((check, index) => {
      const key = keys[index]
      return `${key === undefined ? `count(*) filter (not (${check}))` : violationsOf(key)} as c${index}`
    })
    const [row] = yield* session.rows(`Check ${name}`, `select ${["count(*) as n", ...counts].join(", ")} from ${from}`)
    return { rows: Number(row?.["n"]), violations: checks.map((_, index) => Number(row?.[`c${index}`])) }
  })
  // Rows in strict order repeat no key. One scan finds that, and counting each key takes far longer.
  const compared = new Set(keys.flatMap((key) => (key === undefined ? [] : splitKey(key))))
  const previous = [...compared].map((column) => `lag(${column}) over () as previous_${column}`)
  const quick = yield* count(
    (key) => `count(*) filter (not (${isInOrder(splitKey(key))}))`,
    `(select ${["*", ...previous].join(", ")} from ${name})`
  )
  const isDoubtful = keys.some((key, index) => key !== undefined && quick.violations[index] !== 0)
  const { rows, violations } = isDoubtful ? yield* count((key) => repeatedKeys(name, key), name) : quick
  return {
    rows,
    checks: checks.map((check, index): QualityCheck => ({ table: name, check, violations: violations[index] ?? 0 }))
  }
})
