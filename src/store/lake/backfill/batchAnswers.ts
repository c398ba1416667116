import { Effect, Result } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import {
  answerFile,
  answerOnRecord,
  type BackfillEntry,
  type BackfillSpan,
  backfillPartFiles,
  listBackfillParts,
  type BackfillPartFolder,
  readLedger,
  spanKey
} from "../../home/backfill/backfillLedger.ts"
import { Home } from "../../home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { verifyFile, type verifyKept, foldersIn, isThere, FileDamaged } from "../../home/disk.ts"
import { TableBatch } from "../../../feed/rows/batch/TableBatch.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { backfilledPrices, backfillRefusals, backfills, spansIn } from "./backfillFiles.ts"
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
