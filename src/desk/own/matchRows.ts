import { basename, join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Clock, DateTime, Effect } from "effect"
import { ownText } from "../../feed/disk/ownText.ts"
import { type RunId } from "../../feed/contract/Ids.ts"
import { memoryBound } from "../../feed/rows/memoryBound.ts"
import { makeFolder, removeAll, replace, syncToDisk, privateFolder } from "../../store/home/disk.ts"
import { newRunId } from "../../store/home/newRunId.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { type Session, sqlText, parquetFormat } from "../../store/lake/duckdb/Lake.ts"
import { openAnswers } from "./answers.ts"
import { type Import, ownPaths } from "./Own.ts"
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

const readSql = (name: string): string => ownText(new URL(`${name}.sql`, import.meta.url))

/** Counts an import's rows, by verdict without names and numbers. */
const countVerdicts = Effect.fnUntraced(function* (session: Session, file: string) {
  const counts = yield* session.rows(
    "Count the verdicts",
    `select reason, count(*)::integer as rows, coalesce(sum(cards), 0)::bigint as cards,
  coalesce(sum(file_quantity), 0)::bigint as quantity, max(row) as last,
  count(*) filter (paid is not null and paid_currency is null)::integer as paid_in_unknown,
  count(*) filter (product_id is not null and finish is null)::integer as finish_unknown,
  count(*) filter (product_id is null and reason <> 'unknown: by your answer no product of this lake')::integer as open
from read_parquet(${sqlText(file)}) group by reason order by rows desc, reason`
  )
  const verdicts = counts.map((row) => ({
    verdict: String(row["reason"]),
    rows: Number(row["rows"]),
    cards: Number(row["cards"])
  }))
  return {
    verdicts,
    rows: Math.max(0, ...counts.map((row) => Number(row["last"]))),
    sum: (name: string) => counts.reduce((all, row) => all + Number(row[name]), 0),
    rowsOf: (kind: string) =>
      verdicts.reduce((all, { rows, verdict }) => all + (verdict.startsWith(kind) ? rows : 0), 0)
  }
})

/** What DuckDB may hold of an import; beyond that it spills. */
const importMemory = memoryBound(110, 1 / 3)

/** Rows of a group in the stored file: their memory is bounded. */
const rowGroup = 20_480

/** Makes the view `own_file` of a file's rows; returns the values that were not understood. */
const openFile = Effect.fnUntraced(function* (session: Session, read: ReadFile, currency: string | null) {
  const text = join(yield* privateFolder, "rows.csv")
  const { parts, unread } = stageRows(read, currency)
  yield* lakeStep("Write the rows", (disk) => pipeline(parts, disk.writeStream(text)))
  // The rows of two tables are joined by their place. One thread takes less memory, and less CPU than two together. What
  // a step freed goes back to the system before the next one.
  yield* session.run(
    "Preserve the order",
    `set preserve_insertion_order = true; set threads = 1; set allocator_flush_threshold = '8MB'; set allocator_bulk_deallocation_flush_threshold = '16MB'; set memory_limit = '${importMemory.memory_limit}'`
  )
  yield* session.run("Read the rows", openStaged(text, read))
  return unread()
})

/** Matches the rows of a file with products, and writes them into a new import's folder; a failure leaves no folder. */
export const matchRows = Effect.fnUntraced(function* (
  session: Session,
  read: ReadFile & { readonly sha256: string },
  options: MatchOptions,
  name: string
) {
  const id = yield* newRunId
  const { import: folder, unfinished } = yield* ownPaths
  return yield* writeMatched(session, read, options, name, id).pipe(
    Effect.onError(() => Effect.ignore(removeAll("Remove the unfinished import", [folder(id), unfinished(id)])))
  )
})

const writeMatched = Effect.fnUntraced(function* (
  session: Session,
  read: ReadFile & { readonly sha256: string },
  options: MatchOptions,
  name: string,
  id: RunId
) {
  const at = DateTime.formatIso(DateTime.makeUnsafe(yield* Clock.currentTimeMillis))
  const unread = yield* openFile(session, read, options.currency)
  yield* session.set({
    own_collection: name,
    own_tool: read.tool,
    own_imported_at: at,
    own_game: options.game,
    own_tool_game: read.toolGame
  })
  yield* openAnswers(session)
  for (const step of ["words", "rows", "rules", "lookups", "hits", "matches", "cards"])
    yield* session.run(`Match the cards (${step})`, readSql(step))
  const paths = yield* ownPaths
  const part = join(paths.unfinished(id), "whole")
  yield* makeFolder(part)
  const file = join(part, "cards.parquet")
  yield* session.run("Store the cards", `copy (from own_cards) to ${sqlText(file)} ${parquetFormat(rowGroup)}`)
  yield* lakeStep("Store the file", (disk) => disk.write(join(part, "file"), read.bytes, { flush: true }))
  yield* syncToDisk(file)
  yield* replace(part, paths.import(id))
  const { rows, rowsOf, sum, verdicts } = yield* countVerdicts(session, paths.cards(id))
  return {
    made: {
      id,
      file: basename(options.file),
      sha256: read.sha256,
      tool: read.tool,
      importedAt: at,
      rows,
      quantity: sum("quantity"),
      cards: sum("cards"),
      matched: rowsOf("matched"),
      ambiguous: rowsOf("ambiguous"),
      unknown: rowsOf("unknown"),
      game: options.game,
      currency: options.currency
    } satisfies Import,
    paidInUnknown: sum("paid_in_unknown"),
    finishUnknown: sum("finish_unknown"),
    open: sum("open"),
    unread,
    unusedColumns: read.columns.unused,
    verdicts
  }
})
