import { basename, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { DateTime, Effect, Schema, Struct } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { lakeMemory, memoryBound } from "../../feed/rows/memoryBound.ts"
import { makeFolder, removeAll, replace, syncToDisk, privateFolder } from "../../store/home/disk.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { isOutOfMemory, type Session, sqlText, parquetFormat } from "../../store/lake/duckdb/Lake.ts"
import { answersFile } from "./answers.ts"
import { Import, ownPaths, sqlFile } from "./Own.ts"
import type { ReadFile } from "./readFile.ts"
import { openStaged, stageRows } from "./stageRows.ts"

/** The options of an import that decide how rows are matched. */
export interface MatchOptions {
  readonly file: string
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
  { currency, file, game }: MatchOptions,
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
    for (const step of ["answers", "words", "rows", "rules", "lookups", "hits", "matches", "cards"])
      yield* session.run(`Match the cards (${step})`, sqlFile(step))
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
