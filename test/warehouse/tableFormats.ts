import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withoutCommit } from "../../src/warehouse/drop/ExportFormat.ts"
import { deltaTables } from "../../src/warehouse/formats/delta/deltaTables.ts"
import { duckLakeTables } from "../../src/warehouse/formats/ducklake/duckLakeTables.ts"
import { fileCatalogue } from "../../src/warehouse/formats/iceberg/openCatalogue.ts"
import { icebergTables } from "../../src/warehouse/formats/iceberg/icebergTables.ts"
import { gameId } from "../store/lake/invented.ts"
import { columnsIn, commitsIn, liveFiles } from "./deltaReader.ts"
import { catalogueRows, changed } from "./duckLakeReader.ts"
import { exportAsBefore, today } from "./exportAsBefore.ts"
import { metadataOf } from "./icebergReader.ts"
import { type TablesFound, tablesFound } from "./tablesFound.ts"

type Did = "append" | "delete" | "overwrite"

/** A format of tables, with what other programs see of them and do to them. */
interface TableFormat extends TablesFound {
  /** What a commit says that added, removed or replaced a day. */
  readonly note: (did: Did, dt: string) => string
  readonly commitsOf: (folder: string, table: string) => ReadonlyArray<string>
  /** Takes the last day of `source_prices` back, as another program does. */
  readonly takeBack: (folder: string) => void
  /** Exports day 1 of `products` as a release that knew three columns less. */
  readonly exportBefore: (folder: string, drop: string) => ReturnType<typeof exportDuckLakeBefore>
  /** The columns of `products` before and after they grew, as far as the table has both. */
  readonly assertGrown: (folder: string) => void
}

const exportDuckLakeBefore = (folder: string, drop: string) =>
  Effect.mapError(exportAsBefore(folder, drop, duckLakeTables), String)

const columns = today?.columns ?? []
const columnNames = [columns.slice(0, -3), columns].map((some) => some.map(({ name }) => name))

const iceberg: TableFormat = {
  ...tablesFound.iceberg,
  note: (did, dt) => `${did} ${dt}`,
  commitsOf: (folder, table) =>
    metadataOf(join(folder, table)).snapshots.map(({ summary }) => `${summary["operation"]} ${summary["cardlake.dt"]}`),
  takeBack: (folder) => {
    const location = join(folder, "source_prices")
    const metadata = metadataOf(location)
    const last = metadata.snapshots.at(-2)?.["snapshot-id"]
    const refs = { main: { "snapshot-id": last, type: "branch" } }
    const version = Number(readFileSync(join(location, "metadata/version-hint.text"), "utf8")) + 1
    const text = JSON.stringify({ ...metadata, "current-snapshot-id": last, refs })
    writeFileSync(join(location, `metadata/v${version}.metadata.json`), text)
    writeFileSync(join(location, "metadata/version-hint.text"), String(version))
  },
  exportBefore: (folder, drop) =>
    Effect.mapError(
      exportAsBefore(folder, drop, (to, stage) =>
        Effect.succeed(withoutCommit(icebergTables(to, fileCatalogue(to), stage).place))
      ),
      String
    ),
  assertGrown: (folder) => {
    const { schemas, ...after } = metadataOf(join(folder, "products"))
    assert.deepStrictEqual(
      schemas.map(({ fields }) => fields.map(({ id, name }) => `${id} ${name}`)),
      [columns.slice(0, -3), columns].map((some) => some.map(({ fieldId, name }) => `${fieldId} ${name}`))
    )
    assert.strictEqual(after["current-schema-id"], 1)
  }
}

const delta: TableFormat = {
  ...tablesFound.delta,
  note: (did, dt) =>
    `${{ append: "WRITE Append", delete: "DELETE Overwrite", overwrite: "WRITE Overwrite" }[did]} ${dt}`,
  commitsOf: (folder, table) =>
    commitsIn(join(folder, table)).flatMap((lines) =>
      lines.flatMap(({ commitInfo }) => {
        const { "cardlake.dt": dt, mode } = commitInfo?.operationParameters ?? {}
        return dt === undefined ? [] : [`${commitInfo?.operation} ${mode} ${dt}`]
      })
    ),
  takeBack: (folder) => {
    const path = liveFiles(commitsIn(join(folder, "source_prices"))).at(-1)?.path
    const restored = [{ commitInfo: { operation: "RESTORE" } }, { remove: { path, dataChange: true } }]
    writeFileSync(
      join(folder, "source_prices/_delta_log/00000000000000000005.json"),
      restored.map((line) => JSON.stringify(line)).join("\n")
    )
  },
  exportBefore: (folder, drop) =>
    Effect.mapError(
      exportAsBefore(folder, drop, (to, stage) => Effect.succeed(withoutCommit(deltaTables(to, stage).place))),
      String
    ),
  assertGrown: (folder) => {
    const commits = commitsIn(join(folder, "products"))
    const [before, after] = [columnsIn(commits.slice(0, 2)), columnsIn(commits)]
    assert.deepStrictEqual(
      [before, after].map((some) => some.map(({ name }) => name)),
      columnNames
    )
    assert.isTrue(after.every(({ nullable }) => nullable))
  }
}

const ducklake: TableFormat = {
  ...tablesFound.ducklake,
  note: (_, dt) => `${gameId}, ${dt}`,
  // A snapshot is of all tables.
  commitsOf: (folder) =>
    catalogueRows(
      folder,
      "select commit_message as said from ducklake_snapshot_changes where author = 'Cardlake' order by snapshot_id"
    ).map(({ said }) => String(said)),
  takeBack: (folder) =>
    changed(
      folder,
      `insert into ducklake_snapshot select 5, snapshot_time, schema_version, next_catalog_id, next_file_id from ducklake_snapshot where snapshot_id = 4;
       insert into ducklake_snapshot_changes (snapshot_id, changes_made) values (5, 'deleted_from_table:1');
       update ducklake_data_file set end_snapshot = 5 where data_file_id =
         (select max(data_file_id) from ducklake_data_file join ducklake_table using (table_id) where table_name = 'source_prices')`
    ),
  exportBefore: exportDuckLakeBefore,
  assertGrown: (folder) =>
    assert.deepStrictEqual(
      catalogueRows(
        folder,
        "select column_id as id, column_name as name from ducklake_column c join ducklake_table t using (table_id) where table_name = 'products' and c.begin_snapshot > t.begin_snapshot order by id"
      ),
      columns.slice(-3).map(({ fieldId, name }) => ({ id: fieldId, name }))
    )
}

export const tableFormats: ReadonlyArray<TableFormat> = [iceberg, delta, ducklake]
