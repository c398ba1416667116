import { Effect, Schema } from "effect"
import type { Session } from "../duckdb/Lake.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import type { MonthPlan } from "./planMonths.ts"

/** A new part does not contain what its nights do. */
export class PartDiffers extends Schema.TaggedError<PartDiffers>()("PartDiffers", {
  gameId: Schema.String,
  month: Schema.String,
  table: Schema.String,
  snapshots: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The new file of ${this.table} for ${this.month} of ${this.gameId} does not contain what was read on ${this.snapshots.join(", ")}. Nothing was removed. Check the disk and the memory of this machine, then run it again: cardlake compact ${this.gameId}`
  }
}

/** A file of a new part, and the table that it was written from. */
interface WrittenTable extends Pick<MonthPlan, "gameId" | "month"> {
  readonly table: string
  readonly file: string
}

/**
 * Compares a written file with the session's view of its originals, night by night: the
 * same rows in any order. Returns the row count of the file.
 */
export const verifyRows = Effect.fn("verifyRows")(function* (
  session: Session,
  { file, gameId, month, table }: WrittenTable
) {
  const columns = (yield* session.rows(`Look at ${table}`, `select column_name as name from (describe ${table})`))
    .map(({ name }) => `"${String(name)}"`)
    .join(", ")
  const content = (rows: string) =>
    `select snapshot, count(*) as n, sum(hash(${columns})::hugeint) as content from ${rows} group by snapshot`
  const written = `read_parquet(${sqlText(file)}, hive_partitioning = false)`
  const apart = yield* session.rows(
    `Verify ${file}`,
    `select distinct snapshot from (
       (${content(table)} except ${content(written)}) union all (${content(written)} except ${content(table)})
     ) order by snapshot`
  )
  if (apart.length > 0) {
    const snapshots = apart.map((row) => String(row["snapshot"]))
    return yield* new PartDiffers({ gameId, month, table, snapshots })
  }
  const [counted] = yield* session.rows(`Count ${file}`, `select count(*) as n from ${written}`)
  return Number(counted?.["n"])
})
