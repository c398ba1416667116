import { Effect } from "effect"
import type { Session } from "../lake/duckdb/Lake.ts"
import { sql } from "./openSnapshots.ts"

/** A price source whose prices are in another currency than before. */
export interface CurrencyMove {
  /** sourceEur, sourceUsd, marketplace, or a region of it as marketplace.eu. */
  readonly source: string
  readonly old: string
  readonly new: string
  readonly moved: number
  /** Its prices that both snapshots have. */
  readonly prices: number
}

/** The currencies that changed between the session's snapshots, the most prices first. */
export const currencyMoves = Effect.fn("currencyMoves")(function* (session: Session) {
  const rows = yield* session.rows("Compare the currencies", sql("currencyMoves.sql"))
  return rows.map((row): CurrencyMove => ({
    source: String(row["source"]),
    old: String(row["old"]),
    new: String(row["new"]),
    moved: Number(row["moved"]),
    prices: Number(row["prices"])
  }))
})
