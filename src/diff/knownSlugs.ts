import { Effect } from "effect"
import type { SnapshotFolder } from "../home/Manifest.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { snapshotRows } from "../lake/snapshot/snapshotRows.ts"
import { lastOfRoad } from "./alignRoads.ts"
import { sql } from "./openSnapshots.ts"

/**
 * What the feed calls products, as far as the home knows, into view `told_slugs`; pages do not say it. Besides the claims
 * that came with an id, the last snapshot that was read by feed files tells it.
 */
export const knownSlugs = Effect.fnUntraced(function* (session: Session, from: SnapshotFolder) {
  const products = (snapshot: SnapshotFolder) => snapshotRows([snapshot], "products")
  const last = yield* lastOfRoad(from, "feeds")
  yield* session.set({ last_sequence: last?.manifest.lastSequence ?? 0 })
  yield* session.run(
    "Open the slugs",
    [
      "create schema slugs",
      `create view slugs.before as ${yield* products(from)}`,
      `create view slugs.last as ${last === null ? "from slugs.before where false" : yield* products(last)}`,
      sql("knownSlugs.sql")
    ].join(";\n")
  )
})
