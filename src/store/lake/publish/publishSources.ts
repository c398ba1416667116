import { Effect } from "effect"
import { dialects } from "../../../feed/contract/dialect/dialects.ts"
import { commentSql } from "../../../feed/schema/tableFile.ts"
import type { Session } from "../duckdb/Lake.ts"
import { sourcesTable } from "./publishedTables.ts"

const known = Object.entries(dialects).flatMap(([dialect, { sources }]) =>
  Object.entries(sources).map(([source, { currency, title, url }]) => ({ dialect, source, currency, title, url }))
)

/**
 * Makes table `price_sources` from `readings`. No section says what it was made from: a reading that found nothing new
 * may have come in other words, and these few rows are made at every publication.
 */
export const publishSources = Effect.fnUntraced(function* (session: Session) {
  yield* session.set({ known_sources: JSON.stringify(known) })
  yield* session.run("Publish price_sources", `${sourcesTable.sql}; ${commentSql(sourcesTable, "table")}`)
})
