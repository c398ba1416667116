import { Effect } from "effect"
import type { Session } from "../lake/duckdb/Lake.ts"
import type { Manifest } from "../home/Manifest.ts"
import { sql } from "./openSnapshots.ts"

/** The share of a game's products that a price source prices, before and after. */
export interface Coverage {
  readonly source: string
  readonly before: number
  readonly after: number
  /** Products that have a block of the source now, with a price or without. */
  readonly blocks: number
  /** Products that have any figure of the source above 0 now. */
  readonly figures: number
}

/** The coverage of every price source that either of the session's snapshots has. */
export const priceCoverage = Effect.fn("priceCoverage")(function* (session: Session, from: Manifest, to: Manifest) {
  yield* session.set({ is_first: from === to ? 1 : 0 })
  const rows = yield* session.rows("Count the priced products", sql("coverage.sql"))
  const share = (count: unknown, { tables }: Manifest) => Number(count) / Math.max(1, tables["products"]?.rows ?? 0)
  return rows.map((row): Coverage => ({
    source: String(row["source"]),
    before: share(row["before"], from),
    after: share(row["after"], to),
    blocks: Number(row["blocks"]),
    figures: Number(row["figures"])
  }))
})
