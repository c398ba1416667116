import { basename, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { DateTime, Effect, Schema, Struct } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { lakeMemory, memoryBound } from "../../feed/rows/memoryBound.ts"
import { makeFolder, removeAll, replace, syncToDisk, privateFolder } from "../../store/home/disk.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { isOutOfMemory, type Session, sqlText, parquetFormat } from "../../store/lake/duckdb/Lake.ts"
import { answersFile, Import, ownPaths, sqlFile, type Collection, type Own, sqlOver } from "./Own.ts"
import { type ReadFile, readCollectionFile } from "./readFile.ts"
import { openStaged, stageRows } from "./stageRows.ts"
import { Fault } from "../../feed/contract/Fault.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { GameNotInLake, openLake } from "../../store/lake/publish/openLake.ts"
import { changeOwn } from "./changeOwn.ts"

export interface ImportOptions {
  readonly file: string
  /** The collection's name; null = the file's name without its extension. */
  readonly name: string | null
  /** True to add to the collection, false to replace its contents. */
  readonly add: boolean
  /** The only game of the cards; null = any game of the lake. */
  readonly game: string | null
  /** The currency of the prices paid, for a file that names none; null = unknown. */
  readonly currency: string | null
}

/** The row of `counts.sql`. */
const Counts = Schema.Struct({
  ...Struct.pick(Import.fields, ["rows", "quantity", "cards", "matched", "ambiguous", "unknown"]),
  open: Schema.Int,
  paidInUnknown: Schema.Int,
  finishUnknown: Schema.Int,
  verdicts: Schema.fromJsonString(
    Schema.Array(Schema.Struct({ verdict: Schema.String, rows: Schema.Int, cards: Schema.Int }))
  )
})

/** The memory limit of an import. DuckDB spills beyond it. If a step cannot spill, the import is matched again with more. */
const importMemory = memoryBound(110, 1 / 3)

/** Rows of a group in the stored file: their memory is bounded. */
const rowGroup = 20_480

/** Makes the view `own_file` of a file's rows; returns the values that were not understood. */
const openFile = Effect.fnUntraced(function* (
  session: Session,
  read: ReadFile,
  { currency, memory }: { readonly currency: string | null; readonly memory: string }
) {
  const text = join(yield* privateFolder, "rows.csv")
  const { parts, unread } = stageRows(read, currency)
  yield* lakeStep("Write the rows", (disk) => pipeline(parts, disk.writeStream(text)))
  // The rows of two tables are joined by their place. One thread takes less memory, and less CPU than two together. What
  // a step freed goes back to the system before the next one.
  yield* session.run(
    "Preserve the order",
    `set preserve_insertion_order = true; set threads = 1; set allocator_flush_threshold = '8MB'; set allocator_bulk_deallocation_flush_threshold = '16MB'; set memory_limit = '${memory}'`
  )
  yield* session.run("Read the rows", openStaged(text, read))
  return unread()
})

/** Stores matched cards and their file in the folder of a new import, and counts them; a failure leaves no folder. */
const storeCards = Effect.fnUntraced(function* (session: Session, id: RunId, bytes: Buffer) {
  const paths = yield* ownPaths
  const part = join(paths.unfinished(id), "whole")
  const file = join(part, "cards.parquet")
  return yield* Effect.gen(function* () {
    yield* makeFolder(part)
    yield* session.run("Store the cards", `copy (from own_cards) to ${sqlText(file)} ${parquetFormat(rowGroup)}`)
    yield* lakeStep("Store the file", (disk) => disk.write(join(part, "file"), bytes, { flush: true }))
    yield* syncToDisk(file)
    yield* session.set({ own_cards_file: file })
    const [counts] = yield* session.rows("Count the verdicts", sqlFile("counts"))
    yield* replace(part, paths.import(id))
    return yield* Effect.orDie(Schema.decodeUnknownEffect(Counts)(counts))
  }).pipe(
    Effect.onError(() =>
      Effect.ignore(removeAll("Remove the unfinished import", [paths.import(id), paths.unfinished(id)]))
    )
  )
})

/** Matches the rows of a file with products, and stores them as a new import, which no collection names yet. */
export const matchRows = Effect.fnUntraced(function* (
  session: Session,
  read: ReadFile,
  { currency, file, game }: Pick<ImportOptions, "currency" | "file" | "game">,
  name: string
) {
  const importedAt = DateTime.formatIso(yield* DateTime.now)
  const { sha256, tool } = read
  yield* session.set({
    own_collection: name,
    own_tool: tool,
    own_imported_at: importedAt,
    own_game: game,
    own_tool_game: read.toolGame,
    own_answers: JSON.stringify((yield* answersFile.read).answers)
  })
  const match = Effect.fnUntraced(function* (memory: string) {
    const found = yield* openFile(session, read, { currency, memory })
    for (const step of ["rows", "matches", "cards"]) yield* session.run(`Match the cards (${step})`, sqlFile(step))
    return found
  })
  const unread = yield* Effect.catchIf(match(importMemory.memory_limit), isOutOfMemory, () =>
    match(lakeMemory.memory_limit)
  )
  const id = yield* newRunId
  const { finishUnknown, open, paidInUnknown, verdicts, ...sums } = yield* storeCards(session, id, read.bytes)
  // Later queries of this process have the usual limit again.
  yield* session.run("Limit the memory", `set memory_limit = '${lakeMemory.memory_limit}'`)
  const made: Import = { id, file: basename(file), sha256, tool, importedAt, ...sums, game, currency }
  return { made, paidInUnknown, finishUnknown, open, unread, verdicts }
})

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

/** Returns what a collection's files show after they were matched; `own` names them. */
export const readResult = Effect.fnUntraced(function* (
  session: Session,
  own: Own,
  name: string,
  files: ReadonlyArray<Effect.Success<ReturnType<typeof matchRows>>>
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
