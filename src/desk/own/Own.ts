import { join } from "node:path"
import { Effect, Schema } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { isThere, whereNothingIs, FileDamaged } from "../../store/home/disk.ts"
import { makeFolders } from "../../feed/disk/makeFolders.ts"
import { Home } from "../../store/home/Home.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { readJson, writeJson } from "../../store/home/jsonFile.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { lockFolder } from "../../store/home/lock/lockHome.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { parseTableFile, type TableFile } from "../../feed/schema/tableFile.ts"
import { inQuotes } from "../../feed/contract/shellWord.ts"
import { sqlText } from "../../store/lake/duckdb/Lake.ts"

/** An imported file and counts of its rows by result. */
export const Import = Schema.Struct({
  id: RunId,
  /** The file name without folders. */
  file: Schema.String,
  sha256: Schema.String,
  /** The tool that wrote the file. */
  tool: Schema.String,
  importedAt: Schema.String,
  rows: Schema.Int,
  /** The sum of all quantities, and of the single cards. */
  quantity: Schema.Int,
  cards: Schema.Int,
  matched: Schema.Int,
  ambiguous: Schema.Int,
  unknown: Schema.Int,
  /** The game and the currency that the import was given; missing in imports of earlier versions. */
  game: Schema.optionalKey(Schema.NullOr(Schema.String)),
  currency: Schema.optionalKey(Schema.NullOr(Schema.String))
})
export type Import = typeof Import.Type

/** A named collection: its current imports, and those before the last change. */
export const Collection = Schema.Struct({
  name: Schema.String,
  imports: Schema.Array(Import),
  before: Schema.Array(Import)
})
export type Collection = typeof Collection.Type

/** `own/collections.json`. The rename of this file commits an import. */
export const Own = Schema.Struct({ collections: Schema.Array(Collection) })
export type Own = typeof Own.Type

export const ownPaths = Effect.map(Home, ({ own }) => ({
  root: own,
  /** The SQL file that defines the view and the macros in a plain DuckDB. */
  sql: join(own, "own.sql"),
  lock: join(own, "lock"),
  imports: join(own, "imports"),
  /** The folder of an incomplete import; later the mark of a folder that `collections.json` does not name. */
  unfinished: (id: RunId) => join(own, "imports", `${id}.part`),
  import: (id: RunId) => join(own, "imports", id),
  cards: (id: RunId) => join(own, "imports", id, "cards.parquet")
}))

/**
 * A document of `own/`. `read` returns the empty one if it is missing; `next` says what to do with a damaged one. Only
 * the owner can read the file, because `own/` may link to a folder that others can read.
 */
export const ownDocument = <S extends Schema.Decoder<unknown> & Schema.Encoder<object>>(
  name: string,
  schema: S,
  empty: S["Type"],
  next: string
) => {
  const path = Effect.map(Home, ({ own }) => join(own, name))
  const whole = (file: string) =>
    Effect.catchTag(readJson(file, schema), "FileDamaged", ({ what }) => new FileDamaged({ file, what, next }))
  return {
    read: Effect.flatMap(path, (file) => (isThere(file) ? whole(file) : Effect.succeed(empty))),
    write: (document: S["Type"]) => Effect.flatMap(path, (file) => writeJson(file, schema, document, onlyOwner))
  }
}

export const onlyOwner = 0o600

export const collectionsFile = ownDocument(
  "collections.json",
  Own,
  { collections: [] },
  "The lake is not affected. Restore the file from a backup, or move it away and import your cards again: each folder of imports beside it has the imported file under the name file"
)

/** The reader's answer to which product a row means, for all rows that say the same. */
const Answer = Schema.Struct({
  /** `answer_key` of the rows. */
  key: Schema.String,
  /** Both are null for the answer that no product of the lake is meant. */
  gameId: Schema.NullOr(Schema.String),
  productId: Schema.NullOr(Schema.Int),
  answeredAt: Schema.String
})

export const answersFile = ownDocument(
  "answers.json",
  Schema.Struct({ answers: Schema.Array(Answer) }),
  { answers: [] },
  "The lake and your cards do not depend on this file. Restore it from a backup, or move it away and answer again: cardlake collection review NAME"
)

/** The collections of this home; none if nothing was ever imported. */
export const readOwn = collectionsFile.read

/** Runs a change of `own/` exclusively, or fails with {@link HomeBusy}. Only the owner can read the folder. */
export const alone = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const paths = yield* ownPaths
    yield* lakeStep(`Create ${paths.root}`, (disk) => makeFolders(disk, paths.root, 0o700))
    // `own/` may link to a folder that others can read; that folder's mode is unchanged, so this one is restricted.
    yield* lakeStep(`Create ${paths.imports}`, (disk) => makeFolders(disk, paths.imports, 0o700))
    yield* lockFolder(paths, "change", yield* newRunId)
    return yield* change
  }).pipe(Effect.scoped)

/** Returns the text of a SQL file of this folder. */
export const sqlFile = (name: string): string => ownText(new URL(`${name}.sql`, import.meta.url))
const macros = `${sqlFile("macros")}\n${sqlFile("review")}`

/** Returns the headers of the macros over one's own cards and watched prices that people call: they ask a question. */
export const describeOwnMacros = (): ReadonlyArray<TableFile> =>
  [macros, sqlFile("watch")].flatMap((text) =>
    text
      .split(/\n\n(?=-- )/)
      .filter((one) => /^-- \w+: [A-Z].*\?/.test(one))
      .map(parseTableFile)
  )

/** Returns SQL with the view and the macros over these collections; null = there are none. */
export const sqlOver = ({ collections }: Own, cards: (id: RunId) => string) => {
  const files = collections.flatMap(({ imports }) => imports.map(({ id }) => sqlText(cards(id))))
  if (files.length === 0) return null
  // Imports of earlier versions lack these columns.
  const later =
    "select null::varchar as reason, null::varchar as answer_key, null::varchar as ids, null::struct(game_id varchar, product_id bigint, finish varchar, differs varchar)[] as candidate_products limit 0"
  return `create or replace temp view collection_cards as from read_parquet([${files.join(", ")}], union_by_name = true) union all by name (${later});\n\n${macros}`
}

/**
 * Returns SQL that defines the view `collection_cards` and its macros; null = nothing was imported. They are temporary,
 * so the lake itself never contains any cards.
 */
export const ownSql = Effect.gen(function* () {
  const paths = yield* ownPaths
  const own = yield* readOwn
  for (const { imports, name } of own.collections) {
    for (const { id } of imports) {
      const file = paths.cards(id)
      if (yield* isWhole(file)) continue
      const next = `The lake is not affected. Import the file again: cardlake collection import ${inQuotes(join(paths.import(id), "file"))} --name ${inQuotes(name)}`
      return yield* new FileDamaged({ file, what: "it is missing or truncated", next })
    }
  }
  return sqlOver(own, paths.cards)
})

/** Checks the magic bytes at both ends of a Parquet file, which a truncated file lacks. */
const isWhole = (file: string) =>
  lakeStep(`Read ${file}`, async (disk) => {
    const open = await disk.open(file, "r").catch(whereNothingIs)
    if (open === null) return false
    try {
      const { sizeBytes } = open.look()
      const end = await open.read(4, Math.max(0, sizeBytes - 4))
      return sizeBytes > 8 && end.toString("latin1") === "PAR1"
    } finally {
      await open.close()
    }
  })

/** As `ownSql`, for queries of the lake: if the cards cannot be read, it logs that and continues without them. */
export const ownSqlIfWhole = Effect.catchTag(ownSql, ["FileDamaged", "UnsupportedContract"], ({ message }) =>
  Effect.as(Effect.logWarning(`Your own cards are left out: ${message}`), null)
)
