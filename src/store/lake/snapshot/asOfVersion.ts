import { join } from "node:path"
import { Effect } from "effect"
import { parquetFormat, sqlText, scratchSession } from "../duckdb/Lake.ts"
import { nameIn } from "../../../feed/schema/tableFile.ts"
import { fileSha256 } from "../../home/disk.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"

/**
 * Writes a table's new file once more beside it, with the columns of an earlier contract version. Returns
 * that file and its sha256: the one on record, unless that version made a column differently.
 */
export const asOfVersion = Effect.fn("asOfVersion")(function* (folder: string, table: string, contractVersion: number) {
  const columns = tableNamed(table).columns.flatMap((column) => {
    const name = nameIn(column, contractVersion)
    return name === null ? [] : [`${column.name} as ${name}`]
  })
  const file = join(folder, `${table}.of-version-${contractVersion}.parquet`)
  const session = yield* scratchSession
  yield* session.run(
    `Write ${table}.parquet as of version ${contractVersion}`,
    `copy (
       select ${columns.join(", ")}
       from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false, file_row_number = true)
       order by file_row_number
     ) to ${sqlText(file)} ${parquetFormat()}`
  )
  return { file, sha256: yield* fileSha256(file) }
}, Effect.scoped)
