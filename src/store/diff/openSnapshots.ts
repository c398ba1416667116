import { ownText } from "../../feed/disk/ownText.ts"
import { join } from "node:path"
import { Effect } from "effect"
import { Home } from "../home/Home.ts"
import { type SnapshotFolder, listSnapshotIds } from "../home/Manifest.ts"
import { feedRows } from "../lake/history/feed.ts"
import { scratchSession } from "../lake/duckdb/Lake.ts"
import { isSameTable, snapshotRows, type SnapshotTables } from "../lake/snapshot/snapshotRows.ts"
import { snapshotTables, tableNamed } from "../../feed/schema/snapshotTables.ts"
import { isThere } from "../home/disk.ts"
import { download } from "../../feed/reading/RemoteFiles.ts"

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
