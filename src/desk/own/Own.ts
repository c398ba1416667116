import { join } from "node:path"
import { Effect, Schema } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { isThere, makeFolders, whereNothingIs } from "../../store/home/disk.ts"
import { FileDamaged } from "../../store/home/verifyFile.ts"
import { Home } from "../../store/home/Home.ts"
import { readJson } from "../../store/home/jsonFile.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { lockFolder } from "../../store/home/lock/lockHome.ts"
import { readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { inQuotes } from "../../feed/contract/shellWord.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"

/** A file that was imported, and what became of its rows. */
export const Import = Schema.Struct({
  id: RunId,
  /** Its name where it was read, without the folders. */
  file: Schema.String,
  sha256: Schema.String,
  /** Whose file it is. */
  tool: Schema.String,
  importedAt: Schema.String,
  rows: Schema.Int,
  /** What its quantities add up to, and the single cards that these are. */
  quantity: Schema.Int,
  cards: Schema.Int,
  matched: Schema.Int,
  ambiguous: Schema.Int,
  unknown: Schema.Int
})
export type Import = typeof Import.Type

/** Cards under a name: the files that count now, and those that counted before the last change. */
export const Collection = Schema.Struct({
  name: Schema.String,
  imports: Schema.Array(Import),
  before: Schema.Array(Import)
})
export type Collection = typeof Collection.Type

/** `own/collections.json`: its rename is the commit of an import. */
export const Own = Schema.Struct({ collections: Schema.Array(Collection) })
export type Own = typeof Own.Type

/** Where a reader's own cards lie. */
export const ownPaths = Effect.map(Home, ({ own }) => ({
  root: own,
  document: join(own, "collections.json"),
  /** What gives a plain DuckDB the view and the macros. */
  sql: join(own, "own.sql"),
  lock: join(own, "lock"),
  imports: join(own, "imports"),
  /** Holds an import until it is whole; then marks a folder that the document does not name yet, or soon no more. */
  unfinished: (id: RunId) => join(own, "imports", `${id}.part`),
  import: (id: RunId) => join(own, "imports", id),
  cards: (id: RunId) => join(own, "imports", id, "cards.parquet")
}))

/** The collections of this home; none if nothing was ever imported. */
export const readOwn = Effect.gen(function* () {
  const { document, imports } = yield* ownPaths
  if (!isThere(document)) return { collections: [] } satisfies Own
  const next = `The lake has nothing to do with it. Restore it from a backup, or move it away and import your files again: each is in a folder of ${imports}, as it came, under the name file`
  return yield* readJson(document, Own).pipe(
    Effect.catchTag("FileDamaged", ({ file, what }) => new FileDamaged({ file, what, next }))
  )
})

/** Mode of the documents in `own/`, which may be a link into a folder that others may look into. */
export const onlyOwner = 0o600

/** Runs a change of `own/` while no other is at work; fails with {@link HomeBusy} if one is. Only its owner may look into the folder. */
export const alone = <A, E, R>(run: RunId, change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const paths = yield* ownPaths
    yield* lakeStep(`Make ${paths.root}`, () => makeFolders(paths.root, 0o700))
    // Also where the folder is a link into one that others may look into, which stays as it is.
    yield* lakeStep(`Make ${paths.imports}`, () => makeFolders(paths.imports, 0o700))
    yield* lockFolder(paths, "change", run)
    return yield* change
  }).pipe(Effect.scoped)

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
