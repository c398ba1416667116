import { Effect } from "effect"
import type { BackfillPartFolder } from "../../home/backfill/BackfillPart.ts"
import { join } from "node:path"
import { spanKey } from "../../home/backfill/backfillLedger.ts"
import { obtained } from "../../../feed/reading/StandIns.ts"
import { scratchSession } from "../duckdb/Lake.ts"
import { partsSql } from "./backfillFiles.ts"
import { backfills } from "./backfillTables.ts"

/** What the history has the answers of, by `spanKey`. */
export const spansIn = Effect.fnUntraced(function* (parts: ReadonlyArray<BackfillPartFolder>) {
  if (parts.length === 0) return new Set<string>()
  yield* obtained(...parts.map(({ folder }) => join(folder, `${backfills.name}.parquet`)))
  const session = yield* scratchSession
  const rows = yield* session.rows(
    "Look what the history has of backfills",
    `select product_id::varchar as product, from_day::varchar as first, to_day::varchar as last from (${partsSql(backfills, parts)})`
  )
  return new Set(
    rows.map(({ first, last, product }) => spanKey({ product: Number(product), from: String(first), to: String(last) }))
  )
}, Effect.scoped)
