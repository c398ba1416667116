import { ownText } from "../../feed/disk/ownText.ts"
import { join } from "node:path"
import { Effect } from "effect"
import { Home, readCurrent } from "../home/Home.ts"
import { type SnapshotFolder, listSnapshotIds, readSnapshots } from "../home/Manifest.ts"
import { feedRows } from "../lake/history/feed.ts"
import { scratchSession, type Session } from "../lake/duckdb/Lake.ts"
import { isSameTable, snapshotRows, type SnapshotTables, verifySnapshot } from "../lake/snapshot/snapshotRows.ts"
import { snapshotTables, tableNamed } from "../../feed/schema/snapshotTables.ts"
import { isThere } from "../home/disk.ts"
import { download } from "../../feed/reading/RemoteFiles.ts"
import type { Via } from "../../feed/contract/Via.ts"
import { publishedChain } from "../lake/history/nights.ts"
import { nameIn, type Column } from "../../feed/schema/tableFile.ts"
import type { Diff } from "../home/Diff.ts"

export const sql = (name: string): string => ownText(new URL(name, import.meta.url))

/**
 * Opens a session over two snapshots of a game: `before` and `after` have the tables that are read;
 * `feed_deployments` and `feed_changes` have the known changelog up to the later one. The scope deletes it all.
 */
export const openSnapshots = Effect.fnUntraced(function* (
  from: SnapshotFolder,
  to: SnapshotFolder,
  isRead: (table: string) => boolean = () => true
) {
  const { gameId } = to.manifest
  const home = yield* Home
  const session = yield* scratchSession
  const [first = "", last = ""] = [from.manifest.snapshot, to.manifest.snapshot].toSorted()
  // Published snapshots are already in the game's changelog, unless its files are missing.
  const between = (yield* listSnapshotIds(gameId)).filter((id) => first < id && id < last)
  const folders = [from.folder, to.folder, ...between.map((id) => home.snapshot(gameId, id)), home.feed(gameId)]
  yield* download(
    ...["deployments", "deployment_changes"].flatMap((table) =>
      folders.map((folder) => join(folder, `${table}.parquet`))
    )
  )
  const feed = (table: string) => {
    const files = folders.map((folder) => join(folder, `${table}.parquet`))
    return `(${feedRows(
      tableNamed(table),
      files.filter((file) => isThere(file))
    )})`
  }
  // Of equal tables, those of the later snapshot are read, because its files are local.
  const before = (table: string) => (isSameTable(from, to, table) ? to : from)
  yield* session.run(
    "Open the snapshots",
    [
      ...(yield* createViews("before", from, { isRead, from: before })),
      ...(yield* createViews("after", to, { isRead })),
      `create view feed_deployments as select distinct on (deployment_id) * from ${feed("deployments")}`,
      `create view feed_changes as select distinct * from ${feed("deployment_changes")}`
    ].join(";\n")
  )
  return session
})

/**
 * Returns SQL of a schema with a snapshot's tables, limited to the products in table `products`. `from` chooses another
 * snapshot that has the same table.
 */
export const createViews = Effect.fnUntraced(function* (
  schema: string,
  snapshot: SnapshotTables,
  {
    from = () => snapshot,
    isRead = () => true,
    products = null
  }: { from?: (table: string) => SnapshotTables; isRead?: (table: string) => boolean; products?: string | null } = {}
) {
  const read = snapshotTables.filter(({ name }) => isRead(name))
  const views = yield* Effect.forEach(read, ({ columns, name }) => {
    const isOfProducts = products !== null && columns.some((column) => column.name === "product_id")
    const within = (rows: string) => (isOfProducts ? `from (${rows}) semi join ${products} using (product_id)` : rows)
    return Effect.map(snapshotRows([from(name)], name), (rows) => `create view ${schema}.${name} as ${within(rows)}`)
  })
  return [`create schema ${schema}`, ...views]
})

/** Columns and lists that the ways of reading fill differently. */
export const apartByVia = snapshotTables.flatMap(({ columns, name, vias }) =>
  vias === "both" ? columns.flatMap((column) => (column.vias === "both" ? [] : [column.name])) : [name]
)

export const snapshotVia = ({ manifest }: SnapshotFolder): Via => manifest.via ?? "pages"

/** Returns the last wanted night up to `from` that counted then; null if there is none, or it is damaged. */
export const lastNight = Effect.fnUntraced(function* (
  from: SnapshotFolder,
  isWanted: (one: SnapshotFolder) => boolean
) {
  if (isWanted(from)) return from
  const { gameId, snapshot } = from.manifest
  const counted = publishedChain(yield* readCurrent, gameId, snapshot)
  const found = (yield* readSnapshots(gameId)).findLast(
    (one) => counted.includes(one.manifest.snapshot) && isWanted(one)
  )
  if (found === undefined) return null
  return (yield* Effect.isSuccess(verifySnapshot(found))) ? found : null
})

export const lastByVia = (from: SnapshotFolder, via: Via) => lastNight(from, (one) => snapshotVia(one) === via)

/** True if changes between two ways of reading were computed with the last known night of the later way. */
export const isComparedWithLast = Effect.fnUntraced(function* (known: Diff, from: SnapshotFolder, to: SnapshotFolder) {
  if (snapshotVia(from) === snapshotVia(to)) return true
  const { gameId, snapshot } = from.manifest
  const last = (yield* lastByVia(from, snapshotVia(to)))?.manifest.snapshot
  if (known.lastByVia === undefined || last === known.lastByVia) return last === known.lastByVia
  // A night that was pruned since had more data than the remaining ones.
  const isLater = last === undefined || last < known.lastByVia
  return isLater && publishedChain(yield* readCurrent, gameId, snapshot).includes(known.lastByVia)
})

/** Returns SQL of the earlier rows of a table, in which differently filled columns come from the aligned reading. */
const alignedRows = (
  table: string,
  key: string,
  { last, to }: { readonly last: SnapshotFolder | null; readonly to: SnapshotFolder }
): string => {
  const version = last?.manifest.contractVersion ?? 0
  const isKnown = (column: Column) =>
    nameIn(column, version) !== null && (column.name !== "extra" || version === to.manifest.contractVersion)
  const replaced = tableNamed(table)
    .columns.filter(({ vias }) => vias !== "both")
    .map((column) => {
      const { name } = column
      const known = isKnown(column) ? `when l.${key} is not null then l.${name} ` : ""
      return `case when a.${key} is null then b.${name} ${known}else a.${name} end as ${name}`
    })
  const joined = last !== null ? `left join last_by_via.${table} l on l.${key} = b.${key}` : ""
  return `select b.* replace (${replaced.join(", ")})
    from before.${table} b left join after.${table} a on a.${key} = b.${key} ${joined}`
}

/** Returns SQL that computes a mark of each product from these columns and its lists, except for the `same` tables. */
const markProducts = (side: string, fields: ReadonlyArray<string>, same: ReadonlyArray<string>): string => {
  const lines = sql("productMarks.sql")
    .split("\n")
    .filter((line) => !same.some((table) => line.endsWith(` side.${table}`)))
  const marks = lines
    .join("\n")
    .replaceAll("side.", `${side}.`)
    .replace("hash(fields)", `hash(${fields.join(", ")})`)
  return `create table ${side}.product_marks as ${marks}`
}

/** Returns SQL of view `new_to_via`: unknown items without an earlier night in the later way of reading. */
const newToVia = (knownProducts = "", knownExpansions = knownProducts): string =>
  `create view new_to_via as
    select 'product' as entity, product_id as item_id from after.products ${knownProducts}
    union all select 'expansion', expansion_id from after.expansions ${knownExpansions}`

/** Returns the product lists that two snapshots, read in one way, have in identical files. */
export const sameLists = (from: SnapshotFolder, to: SnapshotFolder): ReadonlyArray<string> =>
  ["product_languages", "product_finishes", "external_ids", "translations"].filter(
    (table) =>
      snapshotVia(from) === snapshotVia(to) && from.manifest.tables[table]?.sha256 === to.manifest.tables[table]?.sha256
  )

/**
 * Makes two snapshots comparable that were read in different ways. Fields that the ways fill differently are compared
 * with the last reading in the later way, which is returned. Without such a reading, they are compared with
 * themselves. Products count as touched by their columns and lists.
 */
export const alignVias = Effect.fnUntraced(function* (
  session: Session,
  { from, to }: { readonly from: SnapshotFolder; readonly to: SnapshotFolder },
  fields: ReadonlyArray<string>
) {
  if (snapshotVia(from) === snapshotVia(to)) {
    const marks = (side: string) => markProducts(side, fields, sameLists(from, to))
    yield* session.run("Mark the products", [marks("before"), marks("after"), newToVia("where false")].join(";\n"))
    return from
  }
  const last = yield* lastByVia(from, snapshotVia(to))
  const hasLast = last !== null
  const aligned = (table: string, rows: string) => [
    `create table aligned.${table} as ${rows}`,
    `drop view before.${table}`,
    `create view before.${table} as from aligned.${table}`
  ]
  const unknown = "from after.translations"
  const translations = hasLast
    ? `from last_by_via.translations union all by name ${unknown} t anti join last_by_via.products l on l.product_id = t.product_id`
    : unknown
  yield* session.run(
    "Compare two ways of reading",
    [
      ...(last === null ? [] : yield* createViews("last_by_via", last)),
      newToVia(
        ...(hasLast
          ? [
              "anti join last_by_via.products using (product_id)",
              "anti join last_by_via.expansions using (expansion_id)"
            ]
          : [])
      ),
      "create schema aligned",
      ...aligned("products", alignedRows("products", "product_id", { last, to })),
      ...aligned("expansions", alignedRows("expansions", "expansion_id", { last, to })),
      ...aligned("translations", translations),
      markProducts("before", fields, []),
      markProducts("after", fields, [])
    ].join(";\n")
  )
  return last
})
