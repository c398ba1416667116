import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { sqlText } from "../lake/duckdb/sqlText.ts"
import { type Own, ownPaths, readOwn } from "./Own.ts"

const macros = readFileSync(new URL("macros.sql", import.meta.url), "utf8")

/** The view and the macros over these collections; null = there are none. */
export const sqlOver = (
  { collections }: Own,
  cards: (id: Own["collections"][number]["imports"][number]["id"]) => string
) => {
  const files = collections.flatMap(({ imports }) => imports.map(({ id }) => sqlText(cards(id))))
  if (files.length === 0) return null
  return `create or replace temp view collection_cards as from read_parquet([${files.join(", ")}]);\n\n${macros}`
}

/**
 * SQL that gives a connection to the lake the view `collection_cards` and its macros; null = nothing was imported. They are
 * temporary, so the lake itself never has any of it.
 */
export const ownSql = Effect.gen(function* () {
  const { cards } = yield* ownPaths
  return sqlOver(yield* readOwn, cards)
})
