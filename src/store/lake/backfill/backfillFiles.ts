import { join } from "node:path"
import { Effect } from "effect"
import { listBackfillParts, type BackfillPartFolder, spanKey } from "../../home/backfill/backfillLedger.ts"
import { type TableFile, tableFile } from "../../../feed/schema/tableFile.ts"
import { sqlText, scratchSession } from "../duckdb/Lake.ts"
import { noRows } from "../snapshot/snapshotRows.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"

const table = (name: string): TableFile => tableFile(new URL(`../history/${name}.sql`, import.meta.url))

export const backfilledPrices = table("backfilled_prices")
export const backfills = table("backfills")
export const backfillRefusals = table("backfill_refusals")

/** The tables of a backfill part; the view of the same name shows all parts. */
export const backfillTables = [backfilledPrices, backfills, backfillRefusals]

export const partsSql = ({ columns, name }: TableFile, parts: ReadonlyArray<BackfillPartFolder>): string => {
  const files = parts.map(({ folder }) => sqlText(join(folder, `${name}.parquet`)))
  if (files.length === 0) return noRows(columns)
  const selected = columns.map((column) => column.name).join(", ")
  return `select ${selected} from read_parquet([${files.join(", ")}], hive_partitioning = false)`
}

/** Returns a game's parts, or none if any is damaged, because a partial result could duplicate or omit rows. */
const readableParts = (gameId: string) =>
  listBackfillParts(gameId).pipe(
    Effect.catchTag(["FileDamaged", "UnsupportedContract"], ({ message }) =>
      Effect.as(
        Effect.logWarning(`The backfill of ${gameId} is not in the lake. ${message}`),
        [] as ReadonlyArray<BackfillPartFolder>
      )
    )
  )

export const backfillFiles = Effect.fnUntraced(function* (games: ReadonlyArray<string>) {
  const parts = (yield* Effect.forEach(games, readableParts)).flat()
  return backfillTables.map((table) => [table.name, partsSql(table, parts)] as const)
})

/** Returns the spans whose answers are in the history, by `spanKey`. */
export const spansIn = Effect.fnUntraced(function* (parts: ReadonlyArray<BackfillPartFolder>) {
  if (parts.length === 0) return new Set<string>()
  yield* download(...parts.map(({ folder }) => join(folder, `${backfills.name}.parquet`)))
  const session = yield* scratchSession
  const rows = yield* session.rows(
    "List the backfills that the history contains",
    `select product_id::varchar as product, from_day::varchar as first, to_day::varchar as last from (${partsSql(backfills, parts)})`
  )
  return new Set(
    rows.map(({ first, last, product }) => spanKey({ product: Number(product), from: String(first), to: String(last) }))
  )
}, Effect.scoped)
