import { join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { readExtraction } from "../../../feed/reading/readExtraction.ts"
import { Home } from "../../home/Home.ts"
import { loadSnapshot } from "../load/loadSnapshot.ts"
import type { SnapshotFolder, Manifest } from "../../home/Manifest.ts"
import { contractVersion, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { snapshotFiles, withCurrentColumns, snapshotRows } from "./snapshotRows.ts"
import { scratchSession, sqlText, parquetFormat } from "../duckdb/Lake.ts"
import { nameIn } from "../../../feed/schema/tableFile.ts"
import { fileSha256, verifyFile } from "../../home/disk.ts"

/** True if a table of an earlier contract version has the rows of a newly written file, in their common columns. */
const sameRows = Effect.fn("sameRows")(function* (snapshot: SnapshotFolder, table: string, made: string) {
  const { columns } = tableNamed(table)
  const version = snapshot.manifest.contractVersion
  const compared = columns
    .filter((column) => column.retired === null && nameIn(column, version) !== null)
    .map(({ name }) => name)
    .join(", ")
  const earlier = `(select ${compared} from (${yield* snapshotRows([snapshot], table)}))`
  const file = `from read_parquet(${sqlText(made)}, hive_partitioning = false)`
  const present = `(select ${compared} from (${withCurrentColumns(columns, file)}))`
  const session = yield* scratchSession
  const [apart] = yield* session.rows(
    `Compare ${table}`,
    `select count(*) as n from ((${earlier} except all ${present}) union all (${present} except all ${earlier}))`
  )
  return Number(apart?.["n"]) === 0
}, Effect.scoped)

/** Returns a snapshot's extraction. Loading it fails if a page does not match its checksum. */
export const readSnapshotExtraction = Effect.fnUntraced(function* ({
  gameId,
  runId
}: Pick<Manifest, "gameId" | "runId">) {
  return yield* readExtraction((yield* Home).raw(gameId, runId))
})

/**
 * Rebuilds a snapshot from its raw pages in the run's work folder and compares each table's bytes with the record.
 * Another version of Cardlake or DuckDB may write equal rows as different bytes. Design: decision 3.
 */
export const replaySnapshot = Effect.fn("replaySnapshot")(function* (run: RunId, snapshot: SnapshotFolder) {
  const { manifest } = snapshot
  const extraction = yield* readSnapshotExtraction(manifest)
  const again = yield* loadSnapshot(extraction, null, { workOf: run, feedBefore: manifest.feedBefore })
  const files = yield* snapshotFiles(snapshot)
  return yield* Effect.forEach(
    Object.entries(manifest.tables),
    Effect.fnUntraced(function* ([table, { rows, sha256 }], index) {
      const rebuilt = again.manifest.tables[table]
      const [file, made] = [files[index], join(again.folder, `${table}.parquet`)]
      const isWhole = file !== undefined && (yield* Effect.isSuccess(verifyFile(file)))
      const isOfToday = manifest.contractVersion === contractVersion
      const isSame = sha256 === rebuilt?.sha256 || (isWhole && !isOfToday && (yield* sameRows(snapshot, table, made)))
      return {
        table,
        rows,
        rebuiltRows: rebuilt?.rows ?? null,
        sha256,
        rebuiltSha256: rebuilt?.sha256 ?? null,
        /** True if the file with the rows matches the record. */
        isWhole,
        equal: isWhole && isSame
      }
    })
  )
})

/** Returns SQL of a table's columns under the names of an earlier contract version. */
export const selectVersionColumns = (table: string, contractVersion: number): string =>
  tableNamed(table)
    .columns.flatMap((column) => {
      const name = nameIn(column, contractVersion)
      return name === null ? [] : [`${column.name} as ${name}`]
    })
    .join(", ")

/**
 * Rewrites a table's new file beside it with the columns of an earlier contract version. Returns it and its sha256,
 * which matches the record unless that version computed a column differently.
 */
export const asOfVersion = Effect.fn("asOfVersion")(function* (folder: string, table: string, contractVersion: number) {
  const file = join(folder, `${table}.of-version-${contractVersion}.parquet`)
  const session = yield* scratchSession
  yield* session.run(
    `Write ${table}.parquet as of version ${contractVersion}`,
    `copy (
       select ${selectVersionColumns(table, contractVersion)}
       from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false, file_row_number = true)
       order by file_row_number
     ) to ${sqlText(file)} ${parquetFormat()}`
  )
  return { file, sha256: yield* fileSha256(file) }
}, Effect.scoped)
