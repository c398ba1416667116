import { Effect } from "effect"
import { asToday } from "./asToday.ts"
import { scratchSession } from "./scratchSession.ts"
import { tableNamed } from "./snapshotTables.ts"
import { sqlText } from "./sqlText.ts"

/**
 * Whether a file that an earlier contract version wrote has the rows of one that this version wrote, in the columns that both knew. What is
 * computed over all columns, `row_hash`, is not compared.
 */
export const sameRows = Effect.fn("sameRows")(function* (
  table: string,
  contractVersion: number,
  earlier: string,
  present: string
) {
  const { columns } = tableNamed(table)
  const compared = columns
    .filter(({ formerly, isRetired, since }) => !isRetired && (since <= contractVersion || formerly !== null))
    .map(({ name }) => name)
    .filter((name) => name !== "row_hash")
    .join(", ")
  const rows = (file: string) =>
    `(select ${compared} from (${asToday(columns, `from read_parquet(${sqlText(file)}, hive_partitioning = false)`)}))`
  const session = yield* scratchSession
  const [apart] = yield* session.rows(
    `Compare ${table}`,
    `select count(*) as n from ((${rows(earlier)} except all ${rows(present)}) union all (${rows(present)} except all ${rows(earlier)}))`
  )
  return Number(apart?.["n"]) === 0
}, Effect.scoped)
