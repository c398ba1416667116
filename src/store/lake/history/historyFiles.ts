import { join } from "node:path"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { currentRows, together, type WrittenFile } from "../snapshot/snapshotRows.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { sqlText } from "../duckdb/Lake.ts"
import type { Column } from "../../../feed/schema/tableFile.ts"
import type { Night } from "./nights.ts"
import type { PartFolder } from "../../home/Manifest.ts"
import type { PartTable } from "../../../feed/schema/partTables.ts"

/** Returns SQL of a history table's rows over all nights of all games, each night once. */
export const historyRows = (table: PartTable, nights: ReadonlyArray<Night>): string => {
  const own = nights.filter((night) => holdingPart(table, night) === null)
  const inParts = nights.filter((night) => holdingPart(table, night) !== null)
  const parts = new Map(
    inParts.flatMap((night) => {
      const part = holdingPart(table, night)
      return part === null ? [] : [[part.folder, part] as const]
    })
  )
  const all = [...parts.values()]
  const read = new Set(inParts.map(nightId))
  // Nights in parts that were rolled back or now have another predecessor.
  const unread = all
    .flatMap(({ part }) => part.nights.map(({ snapshot }) => nightId({ gameId: part.gameId, snapshot })))
    .filter((id) => !read.has(id))
  const moved = table.entity === null ? inParts.filter((night) => night.seenAt !== night.extractedAt) : []
  const holdsMoved = new Set(moved.map((night) => night.pricesIn?.folder))
  return together([
    ownRows(table, own, (night) => night.seenAt),
    partRows(
      table,
      all.filter(({ folder }) => !holdsMoved.has(folder)),
      unread
    ),
    movedRows(
      partRows(
        table,
        all.filter(({ folder }) => holdsMoved.has(folder)),
        unread
      ),
      moved
    )
  ])
}

/** Returns SQL of a month's new part: the current part's rows and the nights that it lacks. */
export const monthRows = (table: PartTable, nights: ReadonlyArray<Night>, present: PartFolder | null): string => {
  const own = nights.filter((night) => holdingPart(table, night) === null)
  const rows = together([
    ownRows(table, own, (night) => night.extractedAt),
    partRows(table, present === null ? [] : [present], own.map(nightId))
  ])
  return `select columns(lambda name: name <> 'month') from (${rows})`
}

const nightId = ({ gameId, snapshot }: { readonly gameId: string; readonly snapshot: SnapshotId }) =>
  `${gameId}/${snapshot}`
const holdingPart = ({ entity }: PartTable, night: Night) => (entity === null ? night.pricesIn : night.versionsIn)
/** Declares columns of the path, so that DuckDB opens no file whose path cannot match. */
const hive = (...columns: ReadonlyArray<string>) =>
  `hive_partitioning = true, hive_types = {${columns.map((column) => `"${column}": varchar`).join(", ")}}`
const listFiles = (nights: ReadonlyArray<Night>, name: string) =>
  nights.flatMap((night): ReadonlyArray<WrittenFile> => {
    const file = night.file(`${name}.parquet`)
    return file === null ? [] : [{ file, contractVersion: night.contractVersion }]
  })

const partRows = (
  { columns, entity, name }: PartTable,
  parts: ReadonlyArray<PartFolder>,
  without: ReadonlyArray<string>
): string => {
  if (parts.length === 0) return ""
  const files = parts.map(({ folder, part }) => ({
    file: join(folder, `${name}.parquet`),
    contractVersion: part.contractVersion
  }))
  const where = without.length === 0 ? "" : ` where game || '/' || snapshot not in (${without.map(sqlText).join(", ")})`
  // Selects by name: the columns come from the path, the file and the month.
  const own = columns.flatMap((column) => (column.type === "" || column.name === "game_id" ? [] : [column.name]))
  const read = [...own, "snapshot", "month", ...(entity === null ? ["seen_at"] : [])].join(", ")
  return `select game as game_id, ${read} from ${currentRows(columns, files, hive("game", "month", "part"))}${where}`
}

/** Corrects the times of nights whose order has moved since their part was written. */
const movedRows = (rows: string, moved: ReadonlyArray<Night>): string =>
  moved.length === 0
    ? ""
    : `select * exclude (placed_at) replace (coalesce(placed_at::timestamptz, seen_at) as seen_at, coalesce(left(placed_at, 7), month) as month)
       from (select *, ${selectTime(moved, (night) => night.seenAt)}[game_id || '/' || snapshot] as placed_at from (${rows}))`

/** Returns SQL of a night's time. A join with `nights` would disable file pruning in other joins. */
const selectTime = (nights: ReadonlyArray<Night>, time: (night: Night) => string): string =>
  `map {${nights.map((night) => `${sqlText(nightId(night))}: ${sqlText(time(night))}`).join(", ")}}`

const ownRows = (
  { columns, entity, name }: PartTable,
  own: ReadonlyArray<Night>,
  time: (night: Night) => string
): string => {
  if (entity !== null) return ownVersions(entity, columns, own)
  if (own.length === 0) return ""
  return `select game as game_id, * exclude (game_id, game, read_at), read_at::timestamptz as seen_at, left(read_at, 7) as month from (
    select *, ${selectTime(own, time)}[game || '/' || snapshot] as read_at from ${currentRows(columns, listFiles(own, name), hive("game", "snapshot"))}
  )`
}

const ownVersions = (
  entity: keyof typeof firstVersions,
  columns: ReadonlyArray<Column>,
  own: ReadonlyArray<Night>
): string => {
  const first = own
    .filter((night) => night.follows === null)
    .map(
      (night) =>
        `select *, 'added' as change, ${entity === "external_id" ? "" : "null::varchar[] as changed, "}${sqlText(night.snapshot)} as snapshot ${firstVersions[entity](night)}`
    )
  const later = listFiles(
    own.filter((night) => night.follows !== null),
    `${entity}_versions`
  )
  const changed = `select * exclude (game, "to"), "to" as snapshot from ${currentRows(columns, later, hive("game", "to"))}`
  return together([...first, later.length === 0 ? "" : changed])
}

const selectTable = (night: Night, table: string) => currentRows(tableNamed(table).columns, listFiles([night], table))

/** Returns SQL of a sorted list; an ordered aggregate takes five times as long. */
const selectList = (night: Night, list: string, item: string) =>
  `(select product_id, list_transform(list_sort(list({place: position, item: ${item}})), lambda one: one.item) as ${list}
    from ${selectTable(night, `product_${list}`)} group by product_id)`

const versionedNames = tableNamed("products")
  .columns.flatMap(({ isVersioned, name }) => (isVersioned ? [name] : []))
  .join(", ")

/** SQL of a first night's versions, by entity: every item is added. */
const firstVersions = {
  product: (night: Night) =>
    `from (select ${versionedNames} from ${selectTable(night, "products")})
     left join ${selectList(night, "languages", "language")} using (product_id)
     left join ${selectList(night, "finishes", "finish")} using (product_id)`,
  expansion: (night: Night) => `from ${selectTable(night, "expansions")}`,
  external_id: (night: Night) =>
    `from (select distinct game_id, product_id, system, finish, external_id from ${selectTable(night, "external_ids")})`
}
