import { basename } from "node:path"
import { hash } from "node:crypto"
import { Clock, DateTime, Effect, Schema } from "effect"
import { removeAll } from "../../store/home/disk.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { type Session, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { GameNotInLake } from "../../store/lake/GameNotInLake.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn } from "./changeOwn.ts"
import { type MatchOptions, matchRows } from "./matchRows.ts"
import { type Collection, type Import, type Own, ownPaths, sqlOver } from "./Own.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"
import type { Unread } from "./stageRows.ts"

/** The collection already contains the file. */
export class AlreadyAdded extends Schema.TaggedError<AlreadyAdded>()("AlreadyAdded", {
  file: Schema.String,
  name: Schema.String,
  at: Schema.String
}) {
  override get message() {
    return `${this.file} was added to ${this.name} at ${this.at}. Nothing was changed. To read it anew in place of all that is there, leave out --add`
  }
}

/** The options of an import. */
export interface Asked extends MatchOptions {
  /** The collection's name; null = the file's name without its extension. */
  readonly name: string | null
  /** True to add to the collection, false to replace its contents. */
  readonly add: boolean
}

/** The worth of a collection in EUR as exact texts, and the parts that are named beside it. */
export interface Worth {
  readonly currency: string
  readonly worth: string
  /** The part of the worth that has the price of another condition. */
  readonly estimated: string
  /** The market value of cards whose condition or language is not understood; not in the worth. */
  readonly conditionUnknown: string
  readonly cardsWithoutPrice: number
}

const readWorth = Effect.fnUntraced(function* (session: Session, own: Own, name: string) {
  const { cards } = yield* ownPaths
  yield* session.run("Open your own cards", sqlOver(own, cards) ?? "")
  const [row] = yield* session.rows(
    "Add up the cards",
    `select currency, worth::varchar as worth, value_of_any_condition::varchar as estimated, value_of_unknown_condition::varchar as unknown,
       cards_without_price from collection_totals() where collection = ${sqlText(name)}`
  )
  return {
    currency: String(row?.["currency"] ?? "EUR"),
    worth: String(row?.["worth"] ?? "0.0000"),
    estimated: String(row?.["estimated"] ?? "0.0000"),
    conditionUnknown: String(row?.["unknown"] ?? "0.0000"),
    cardsWithoutPrice: Number(row?.["cards_without_price"] ?? 0)
  } satisfies Worth
})

/** The result of an import, with the rows that were not matched. */
export interface Imported extends Import {
  readonly name: string
  readonly replaced: ReadonlyArray<Import>
  /** The number of rows with a price paid but no currency. */
  readonly paidInUnknown: number
  /** The number of rows whose product does not have their finish. */
  readonly finishUnknown: number
  /** The values that were not understood, by kind. */
  readonly unread: ReadonlyArray<Unread>
  /** The columns whose headers have no known meaning. */
  readonly unusedColumns: ReadonlyArray<string>
  /** What the collection is worth now, as `collection_totals()` says. */
  readonly worth: Worth
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
 * `NotACollection`, {@link AlreadyAdded} or {@link GameNotInLake}, and then changes nothing.
 */
export const importCollection = Effect.fn("importCollection")(function* (asked: Asked, given: ReadFile | null = null) {
  const games = Object.keys((yield* readCurrent).games)
  if (asked.game !== null && !games.includes(asked.game))
    return yield* new GameNotInLake({ wanted: [asked.game], games })
  const read = given ?? (yield* readCollectionFile(asked.file))
  const name = asked.name ?? (asked.file === "-" ? "list" : basename(asked.file).replace(/\.[^.]+$/, ""))
  const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const id = yield* newRunId
  const session = yield* openLake
  const sha256 = hash("sha256", read.bytes, "hex")
  const { import: folder, unfinished } = yield* ownPaths
  const done = yield* changeOwn(id, ({ collections }) =>
    Effect.gen(function* () {
      const present = collections.find((one) => one.name === name)?.imports ?? []
      const same = present.find((one) => one.sha256 === sha256)
      if (asked.add && same !== undefined)
        return yield* new AlreadyAdded({ file: asked.file, name, at: same.importedAt })
      const { made, ...told } = yield* matchRows(session, { ...read, sha256 }, asked, { name, id, at }).pipe(
        Effect.onError(() => Effect.ignore(removeAll("Remove the unfinished import", [folder(id), unfinished(id)])))
      )
      const next = withImports(collections, name, asked.add ? [...present, made] : [made])
      const own = { collections: next }
      const worth = yield* readWorth(session, own, name)
      return [own, { made, told: { ...told, worth }, replaced: asked.add ? [] : present }] as const
    })
  )
  return { ...done.made, ...done.told, name, replaced: done.replaced } satisfies Imported
}, Effect.scoped)
