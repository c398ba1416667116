import { readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { inQuotes } from "../../feed/contract/shellWord.ts"
import { whereNothingIs } from "../../store/home/disk.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"
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
  const paths = yield* ownPaths
  const own = yield* readOwn
  for (const { imports, name } of own.collections) {
    for (const { id } of imports) {
      const file = paths.cards(id)
      if (yield* isWhole(file)) continue
      const next = `The lake has nothing to do with it. Import its file again: cardlake collection import ${inQuotes(join(paths.import(id), "file"))} --name ${inQuotes(name)}`
      return yield* new FileDamaged({ file, what: "it is gone, or cut off", next })
    }
  }
  return sqlOver(own, paths.cards)
})

/** Parquet begins and ends with four letters; a file that was cut off does not. */
const isWhole = (file: string) =>
  lakeStep(`Look at ${file}`, async () => {
    const handle = await open(file).catch(whereNothingIs)
    if (handle === null) return false
    try {
      const { size } = await handle.stat()
      const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4))
      return size > 8 && buffer.toString("latin1") === "PAR1"
    } finally {
      await handle.close()
    }
  })

/** The same where a question is about the lake: if the cards cannot be read it goes on without them, and says so. */
export const ownSqlIfWhole = Effect.catchTags(ownSql, {
  FileDamaged: ({ message }) => Effect.as(Effect.logWarning(`Without your own cards: ${message}`), null),
  UnsupportedContract: ({ message }) => Effect.as(Effect.logWarning(`Without your own cards: ${message}`), null)
})
