import { join } from "node:path"
import { Effect, Result } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import type { RunId } from "../../../feed/contract/Ids.ts"
import {
  BackfillPart,
  type BackfillPartFolder,
  backfillPartFiles,
  listBackfillParts,
  readLedger,
  spanKey,
  answerFile,
  answerOnRecord,
  type BackfillEntry,
  type BackfillSpan
} from "../../home/backfill/backfillLedger.ts"
import {
  makeFolder,
  removeAll,
  replace,
  syncToDisk,
  recordOfFile,
  verifyFile,
  isThere,
  type verifyKept,
  foldersIn,
  FileDamaged
} from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { rowOrder, type TableFile } from "../../../feed/schema/tableFile.ts"
import { parquetFormat, sqlText, scratchSession, withMoreMemory } from "../duckdb/Lake.ts"
import { type GameBatches, shreddedRows } from "../load/writeTables.ts"
import { partsSql, backfillTables, spansIn, backfilledPrices, backfillRefusals, backfills } from "./backfillFiles.ts"
import { asideIn, setAside } from "../../home/setAside.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { TableBatch } from "../../../feed/rows/batch/TableBatch.ts"
import { parseBody, unpack } from "../../../feed/client/RawBody.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import { acceptHistory } from "../../../feed/rows/acceptHistory.ts"

export const backfilledGames = Effect.flatMap(Home, ({ backfill }) => foldersIn(backfill, "game="))

/** Returns a game's parts after verifying every byte. */
export const wholeParts = Effect.fnUntraced(function* (gameId: string) {
  const parts = yield* listBackfillParts(gameId)
  yield* Effect.forEach(parts.flatMap(backfillPartFiles), verifyFile, { concurrency: 4, discard: true })
  return parts
})

/** Returns the message without its next step, which is a different one for an answer. */
export const saysDamage = (fault: { readonly message: string }): string =>
  fault instanceof FileDamaged ? `${fault.file} is damaged: ${fault.what}` : fault.message

/** Returns a sentence per damaged answer, by file. A missing answer is no damage if the history has its rows. */
export const damagedAnswers = Effect.fnUntraced(function* (gameId: string, parts: ReadonlyArray<BackfillPartFolder>) {
  const known = yield* spansIn(parts)
  const found: Array<{ readonly file: string; readonly says: string }> = []
  for (const entry of (yield* readLedger(gameId)).values()) {
    const stored = yield* answerOnRecord(gameId, entry)
    if (stored === null || (!isThere(stored.file) && known.has(spanKey(entry)))) continue
    const looked = yield* Effect.result(verifyFile(stored))
    if (looked._tag === "Success") continue
    const again = `. Request it again with: cardlake backfill ${shellWord(gameId)}`
    const says = saysDamage(looked.failure) + (looked.failure instanceof FileDamaged ? again : "")
    found.push({ file: stored.file, says })
  }
  return found as ReadonlyArray<{ readonly file: string; readonly says: string }>
})

/** Returns answers older than a time whose rows are in the intact history, so that their files can be deleted. */
export const prunableAnswers = Effect.fnUntraced(function* (beforeMillis: number) {
  const found: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const known = yield* spansIn(yield* Effect.orElseSucceed(wholeParts(gameId), () => []))
    for (const entry of (yield* readLedger(gameId)).values()) {
      if (Date.parse(entry.at) >= beforeMillis || !known.has(spanKey(entry))) continue
      const stored = yield* answerOnRecord(gameId, entry)
      if (stored !== null && isThere(stored.file)) found.push(stored.file)
    }
  }
  return found as ReadonlyArray<string>
})

/** Returns the rows of an answer that the contract accepts; fails with a sentence if there are none. */
export const acceptAnswer = (span: BackfillSpan, bytes: Uint8Array) => {
  const body = unpack(bytes, "gzip", true)
  if (Result.isFailure(body) || body.success === null) return Result.fail("It is not an answer")
  const { plain, text } = body.success
  const json = parseBody(text)
  return Result.isFailure(json) ? Result.fail(json.failure) : acceptHistory({ json: json.success, plain, text }, span)
}

export const readAnswer = Effect.fnUntraced(function* (gameId: string, span: BackfillSpan) {
  const file = yield* answerFile(gameId, span)
  yield* download(file)
  return acceptAnswer(span, yield* lakeStep(`Read ${file}`, (disk) => disk.read(file)))
})

/** Returns a table with days as texts, as batches store them. */
const withTexts = ({ columns, name }: TableFile) => ({
  name,
  columns: columns.map((column) => (column.type === "date" ? { ...column, type: "varchar" } : column))
})

/** True if the stored answer exists and matches its checksum. `next` continues the warning about any other. */
export const isIntact = Effect.fnUntraced(function* (
  gameId: string,
  entry: BackfillEntry,
  { next, verify = verifyFile }: { readonly next: string; readonly verify?: typeof verifyKept }
) {
  const stored = yield* answerOnRecord(gameId, entry)
  if (stored === null) return entry.status === "not found"
  const verified = Effect.tapError(verify(stored), (fault) => Effect.logWarning(`${saysDamage(fault)}. ${next}`))
  return yield* Effect.isSuccess(verified)
})

/**
 * Writes answers as batches below `folder`; warns about a damaged one and omits it. Returns their counts, which include
 * refused answers and missing products; an answer without any accepted row is refused as a whole.
 */
export const batchAnswers = Effect.fn("batchAnswers")(function* (
  gameId: string,
  entries: ReadonlyArray<BackfillEntry>,
  folder: string
) {
  const place = { folder, writer: "answers" }
  const prices = new TableBatch(withTexts(backfilledPrices), place)
  const refusals = new TableBatch(withTexts(backfillRefusals), place)
  const requests = new TableBatch(withTexts(backfills), place)
  const products = new Set<number>()
  const daysSeen = new Set<string>()
  const counts = { answers: 0, prices: 0, refusedPrices: 0, refusedAnswers: 0 }
  const next = `It is not in the lake; request it again with: cardlake backfill ${shellWord(gameId)}`
  for (const entry of entries) {
    if (!(yield* isIntact(gameId, entry, { next }))) continue
    const { at, from, product, reason = null, status, to } = entry
    const accepted =
      status === "not found" ? Result.succeed({ days: [], refused: [] }) : yield* readAnswer(gameId, entry)
    yield* lakeStep(`Write the backfill of ${gameId}`, async () => {
      const { days, refused } = Result.isSuccess(accepted) ? accepted.success : { days: [], refused: [] }
      for (const day of days) {
        daysSeen.add(day.day)
        prices.row({ ...day }, product)
        prices.flushIfFull()
      }
      for (const one of refused) refusals.row({ ...one }, product, from)
      refusals.flushIfFull()
      requests.row(
        {
          toDay: to,
          askedAt: at,
          // Uses the current contract, which may accept what was refused on arrival.
          status: status === "not found" ? status : Result.isSuccess(accepted) ? "stored" : "refused",
          prices: days.length,
          refused: refused.length,
          reason: Result.isSuccess(accepted) ? null : (accepted.failure ?? reason)
        },
        product,
        from
      )
      requests.flushIfFull()
    })
    counts.answers += 1
    products.add(product)
    if (Result.isFailure(accepted)) counts.refusedAnswers += 1
    else {
      counts.prices += accepted.success.days.length
      counts.refusedPrices += accepted.success.refused.length
    }
  }
  yield* lakeStep(`Write the backfill of ${gameId}`, async () => {
    for (const batch of [prices, refusals, requests]) batch.write()
  })
  return { ...counts, products: products.size, ...countDays(daysSeen) }
})

const countDays = (seen: ReadonlySet<string>) => {
  const days = [...seen].toSorted()
  return { days: days.length, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null }
}

/** Each part costs a product's history one open file, so at this count a new part gathers all. */
export const maxBackfillParts = 7

/**
 * Adds a game's completed backfill to the history as one new part, atomically, and returns its counts; null if there is
 * nothing to write. Keeps the answers. With `gathers`, the part includes all others.
 */
export const storeBackfill = Effect.fn("storeBackfill")(function* (run: RunId, gameId: string, gathers: boolean) {
  const ledger = yield* readLedger(gameId)
  const parts = yield* listBackfillParts(gameId)
  const known = yield* spansIn(parts)
  const fresh = [...ledger.values()].filter(
    (entry) => ["stored", "refused", "not found"].includes(entry.status) && !known.has(spanKey(entry))
  )
  const gathered = (gathers && parts.length > 1) || parts.length >= maxBackfillParts ? parts : []
  if (fresh.length + gathered.length === 0) return null
  const home = yield* Home
  const folder = join(home.work(run), "backfill", gameId)
  const batches = join(folder, "batches")
  const staged = join(folder, "part")
  yield* removeAll(`Remove ${folder}`, [folder])
  yield* makeFolder(staged)
  const counts = yield* batchAnswers(gameId, fresh, batches)
  if (counts.answers + gathered.length === 0) return null
  yield* Effect.forEach(gathered.flatMap(backfillPartFiles), verifyFile, { concurrency: 4, discard: true })
  const tables: Record<string, BackfillPart["tables"][string]> = {}
  for (const table of backfillTables)
    tables[table.name] = yield* writeTable(table, { batches, gameId, gathered, staged })
  yield* writeJson(join(staged, "part.json"), BackfillPart, {
    gameId,
    part: run,
    cardlakeVersion: packageJson.version,
    replaces: gathered.map(({ part }) => part.part),
    tables
  })
  yield* replace(staged, home.backfillPart(gameId, run))
  yield* removeAll(`Remove ${folder}`, [folder])
  return counts
})

/** Writes a table sorted by product, so that a product's year is in one row group. */
const writeTable = Effect.fnUntraced(function* (
  table: TableFile,
  part: GameBatches & { readonly staged: string; readonly gathered: ReadonlyArray<BackfillPartFolder> }
) {
  const session = yield* scratchSession
  const file = join(part.staged, `${table.name}.parquet`)
  const rows = [shreddedRows(table, part), ...(part.gathered.length > 0 ? [partsSql(table, part.gathered)] : [])]
  const [written] = yield* withMoreMemory(
    session.rows(
      `Write ${file}`,
      `copy (from (${rows.join("\nunion all by name\n")}) order by ${rowOrder(table)}) to ${sqlText(file)} ${parquetFormat()}`
    )
  )
  yield* syncToDisk(file)
  return { rows: Number(written?.["Count"]), ...(yield* recordOfFile(file)) }
}, Effect.scoped)

/**
 * Repairs backfills: rebuilds a damaged history from the answers, and sets damaged answers aside. The next backfill
 * requests these again unless the history has them. Returns what was done.
 */
export const repairBackfill = Effect.fn("repairBackfill")(function* (run: RunId) {
  const home = yield* Home
  const aside = asideIn(home)
  const done: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const parts = yield* Effect.matchEffect(wholeParts(gameId), {
      onSuccess: Effect.succeed,
      onFailure: () =>
        Effect.gen(function* () {
          yield* setAside(run, [home.backfillParts(gameId)])
          done.push(`the damaged history of the backfill of ${gameId} is ${aside}, and rebuilt from its answers`)
          return []
        })
    })
    const damaged = (yield* damagedAnswers(gameId, parts)).filter(({ file }) => isThere(file))
    yield* setAside(
      run,
      damaged.map(({ file }) => file)
    )
    if (damaged.length > 0) {
      const [one] = damaged
      done.push(`${damaged.length} damaged answers of the backfill of ${gameId} are ${aside} (${one?.file ?? ""})`)
    }
    if (done.length > 0) yield* storeBackfill(run, gameId, false)
  }
  return done
})
