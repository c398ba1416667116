import { Effect } from "effect"
import type { Dialect } from "../contract/dialects.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { sql } from "./openSnapshots.ts"

/** Prices and ids of products under keys that the contract does not know, so no table has them. */
export interface StrangeKeys {
  /** Such as `pricesByFinish.*.harbour`, the most frequent first. */
  readonly keys: ReadonlyArray<string>
  /** How many products have any of them. */
  readonly products: number
}

/** Looks for them in the later of the session's snapshots. A key with null does not count. */
export const strangeKeys = Effect.fn("strangeKeys")(function* (session: Session, { blocks, ids }: Dialect) {
  yield* session.set({ known_keys: [...Object.values(blocks), ...Object.values(ids)] })
  const rows = yield* session.rows("Look for unknown prices and ids", sql("strangeKeys.sql"))
  return {
    keys: rows.flatMap(({ key }) => (key === null ? [] : [String(key)])),
    products: Number(rows.find(({ key }) => key === null)?.["products"] ?? 0)
  } satisfies StrangeKeys
})
