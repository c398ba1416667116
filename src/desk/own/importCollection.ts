import { basename } from "node:path"
import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { ownText } from "../../feed/disk/ownText.ts"
import { readCurrent } from "../../store/home/Home.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import { GameNotInLake } from "../../store/lake/GameNotInLake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn } from "./changeOwn.ts"
import { type MatchOptions, matchRows } from "./matchRows.ts"
import { type Collection, type Import, type Own, ownPaths, sqlOver } from "./Own.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"
import type { Unread } from "./stageRows.ts"
import { Fault } from "../../feed/contract/Fault.ts"

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

const worthSql = ownText(new URL("worth.sql", import.meta.url))

const readWorth = Effect.fnUntraced(function* (session: Session, own: Own) {
  const { cards } = yield* ownPaths
  yield* session.run("Open your own cards", sqlOver(own, cards) ?? "")
  const [worth] = yield* session.rows("Add up the cards", worthSql)
  return yield* Effect.orDie(Schema.decodeUnknownEffect(Worth)(worth))
})

/** What reading a collection's files shows. */
export interface Result {
  readonly name: string
  /** The number of rows that are no product yet, and are not answered with `none`. */
  readonly open: number
  /** The number of rows with a price paid but no currency. */
  readonly paidInUnknown: number
  /** The number of rows whose product does not have their finish. */
  readonly finishUnknown: number
  /** The values that were not understood, by kind. */
  readonly unread: ReadonlyArray<Unread>
  /** What the collection is worth now, as `collection_totals()` says. */
  readonly worth: typeof Worth.Type
}

type Matched = Effect.Success<ReturnType<typeof matchRows>>

/** Returns what the files of a collection show after they were matched; `own` names them. */
export const readResult = Effect.fnUntraced(function* (
  session: Session,
  own: Own,
  name: string,
  files: ReadonlyArray<Matched>
) {
  const sum = (count: (file: Matched) => number) => files.reduce((all, file) => all + count(file), 0)
  return {
    name,
    open: sum((file) => file.open),
    paidInUnknown: sum((file) => file.paidInUnknown),
    finishUnknown: sum((file) => file.finishUnknown),
    unread: files.flatMap((file) => file.unread),
    worth: yield* readWorth(session, own)
  } satisfies Result
})

/** The result of an import, with the rows that were not matched. */
export interface Imported extends Import, Result {
  readonly replaced: ReadonlyArray<Import>
  /** The columns whose headers have no known meaning. */
  readonly unusedColumns: ReadonlyArray<string>
  readonly verdicts: ReadonlyArray<{ readonly verdict: string; readonly rows: number; readonly cards: number }>
}

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
  const games = Object.keys((yield* readCurrent).games)
  if (options.game !== null && !games.includes(options.game))
    return yield* new GameNotInLake({ wanted: [options.game], games })
  const read = given ?? (yield* readCollectionFile(options.file))
  const name = options.name ?? (options.file === "-" ? "list" : basename(options.file).replace(/\.[^.]+$/, ""))
  const session = yield* openLake
  const sha256 = hash("sha256", read.bytes, "hex")
  return yield* changeOwn(({ collections }) =>
    Effect.gen(function* () {
      const present = collections.find((one) => one.name === name)?.imports ?? []
      const same = present.find((one) => one.sha256 === sha256)
      if (options.add && same !== undefined)
        return yield* new Fault(
          "AlreadyAdded",
          `${options.file} was added to ${name} at ${same.importedAt}. Nothing was changed. To read it anew in place of all that is there, leave out --add`
        )
      const matched = yield* matchRows(session, { ...read, sha256 }, options, name)
      const { made, unusedColumns, verdicts } = matched
      const own = { collections: withImports(collections, name, options.add ? [...present, made] : [made]) }
      const result = yield* readResult(session, own, name, [matched])
      const replaced = options.add ? [] : present
      return [own, { ...made, ...result, replaced, unusedColumns, verdicts } satisfies Imported] as const
    })
  )
}, Effect.scoped)
