import { Effect } from "effect"
import { withCurrentColumns } from "./withCurrentColumns.ts"
import type { SnapshotFolder } from "../../home/Manifest.ts"
import { scratchSession } from "../duckdb/scratchSession.ts"
import { snapshotRows } from "./snapshotRows.ts"
import { tableNamed } from "../../schema/snapshotTables.ts"
import { nameIn } from "../../schema/tableFile.ts"
import { sqlText } from "../duckdb/sqlText.ts"

/**
 * Whether a table of a snapshot of an earlier contract version has the rows of a file that this version
 * wrote, in the columns that both knew and that are still written.
 */
export const sameRows = Effect.fn("sameRows")(function* (snapshot: SnapshotFolder, table: string, made: string) {
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
