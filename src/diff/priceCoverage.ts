import { Effect } from "effect"
import type { SnapshotFolder } from "../lake/loadSnapshot.ts"
import { openSnapshots, sql } from "./openSnapshots.ts"

/** Which share of a game's products a price source prices, before and after. */
export interface Coverage {
  readonly source: string
  readonly before: number
  readonly after: number
}

/** The coverage of every price source that either snapshot has. */
export const priceCoverage = Effect.fn("priceCoverage")(function* (from: SnapshotFolder, to: SnapshotFolder) {
  const session = yield* openSnapshots(from, to)
  const rows = yield* session.rows("Count the priced products", sql("coverage.sql"))
  const share = (count: unknown, { manifest }: SnapshotFolder) =>
    Number(count) / Math.max(1, manifest.tables["products"]?.rows ?? 0)
  return rows.map((row): Coverage => ({
    source: String(row["source"]),
    before: share(row["before"], from),
    after: share(row["after"], to)
  }))
}, Effect.scoped)
