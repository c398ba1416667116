import { basename } from "node:path"
import { Effect, Schema } from "effect"
import { Fault } from "../../feed/contract/Fault.ts"
import { readCurrent } from "../../store/home/Home.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { GameNotInLake, openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn } from "./changeOwn.ts"
import { type Collection, type Import, type Own, ownPaths, sqlFile, sqlOver } from "./Own.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"

/** The options of an import. */
export interface ImportOptions extends MatchOptions {
  /** The collection's name; null = the file's name without its extension. */
  readonly name: string | null
  /** True to add to the collection, false to replace its contents. */
  readonly add: boolean
}

/** The worth of a collection in EUR as exact texts, and the parts that are named beside it. */
const Worth = Schema.Struct({
  currency: Schema.String,
  worth: Schema.String,
  /** The part of the worth that has the price of another condition. */
  estimated: Schema.String,
  /** The market value of cards whose condition or language is not understood; not in the worth. */
  conditionUnknown: Schema.String,
  cardsWithoutPrice: Schema.Int,
  /** The cards that are not in the worth, by reason, as `collection_counts()` says. */
  leftOut: Schema.fromJsonString(Schema.Array(Schema.Struct({ countsAs: Schema.String, cards: Schema.Int })))
})

type Matched = Effect.Success<ReturnType<typeof matchRows>>

/** Returns what a collection's files show after they were matched; `own` names them. */
export const readResult = Effect.fnUntraced(function* (
  session: Session,
  own: Own,
  name: string,
  files: ReadonlyArray<Matched>
) {
  yield* session.run("Open your own cards", sqlOver(own, (yield* ownPaths).cards) ?? "")
  const [worth] = yield* session.rows("Add up the cards", sqlFile("worth"))
  const sum = (key: "open" | "paidInUnknown" | "finishUnknown") => files.reduce((all, file) => all + file[key], 0)
  return {
    name,
    /** The number of rows that are no product yet, and are not answered with `none`. */
    open: sum("open"),
    /** The number of rows with a price paid but no currency. */
    paidInUnknown: sum("paidInUnknown"),
    /** The number of rows whose product does not have their finish. */
    finishUnknown: sum("finishUnknown"),
    /** The values that were not understood, by kind. */
    unread: files.flatMap((file) => file.unread),
    /** What the collection is worth now, as `collection_totals()` says. */
    worth: yield* Effect.orDie(Schema.decodeUnknownEffect(Worth)(worth))
  }
})
export type Result = Effect.Success<ReturnType<typeof readResult>>

/** Returns the collections after an import into the named one. */
export const withImports = (
  all: ReadonlyArray<Collection>,
  name: string,
  imports: ReadonlyArray<Import>
): ReadonlyArray<Collection> => {
  const before = all.find((one) => one.name === name)?.imports ?? []
  return [...all.filter((one) => one.name !== name), { name, imports, before }].toSorted((a, b) =>
    a.name < b.name ? -1 : 1
  )
}

/**
 * Imports a file of any tool in `formats`. Every row is stored with a verdict, only in `own/`. Fails with
 * `NotACollection`, `AlreadyAdded` or {@link GameNotInLake}, and then changes nothing.
 */
export const importCollection = Effect.fn("importCollection")(function* (
  options: ImportOptions,
  given: ReadFile | null = null
) {
  const { add, file, game } = options
  const games = Object.keys((yield* readCurrent).games)
  if (game !== null && !games.includes(game)) return yield* new GameNotInLake({ wanted: [game], games })
  const read = given ?? (yield* readCollectionFile(file))
  const name = options.name ?? (file === "-" ? "list" : basename(file).replace(/\.[^.]+$/, ""))
  const session = yield* openLake
  return yield* changeOwn(
    Effect.fnUntraced(function* ({ collections }) {
      const before = collections.find((one) => one.name === name)?.imports ?? []
      const same = before.find(({ sha256 }) => sha256 === read.sha256)
      if (add && same !== undefined)
        return yield* new Fault(
          "AlreadyAdded",
          `${file} was added to ${name} at ${same.importedAt}. Nothing was changed. To read it anew in place of all that is there, leave out --add`
        )
      const matched = yield* matchRows(session, read, options, name)
      const { made, verdicts } = matched
      const own = { collections: withImports(collections, name, add ? [...before, made] : [made]) }
      const result = yield* readResult(session, own, name, [matched])
      const replaced = add ? [] : before
      // The headers without a known meaning, and the lines above the header.
      const ignored = { unusedColumns: read.columns.unused, titleLines: read.titles }
      return [own, { ...made, ...result, replaced, ...ignored, verdicts }] as const
    })
  )
}, Effect.scoped)
export type Imported = Effect.Success<ReturnType<typeof importCollection>>
