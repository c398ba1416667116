import { Effect, Result } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { answerFile, type BackfillEntry, type BackfillSpan } from "../../home/backfill/backfillLedger.ts"
import type { Backfilled } from "../../home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { verifyFile } from "../../home/disk.ts"
import { TableBatch } from "../../../feed/rows/batch/TableBatch.ts"
import type { TableFile } from "../../../feed/schema/tableFile.ts"
import { saysDamage } from "./backfillDamages.ts"
import { backfilledPrices, backfillRefusals, backfills } from "./backfillFiles.ts"
import { parseBody, unpack } from "../../../feed/client/RawBody.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import { acceptHistory } from "../../../feed/rows/acceptHistory.ts"

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

/** True if the stored answer exists and matches its checksum. */
const isIntact = Effect.fnUntraced(function* (gameId: string, entry: BackfillEntry) {
  if (entry.sha256 === undefined) return entry.status === "not found"
  const file = yield* answerFile(gameId, entry)
  return yield* Effect.matchEffect(verifyFile({ file, sizeBytes: entry.sizeBytes ?? null, sha256: [entry.sha256] }), {
    onSuccess: () => Effect.succeed(true),
    onFailure: (fault) =>
      Effect.as(
        Effect.logWarning(
          `${saysDamage(fault)}. It is not in the lake; request it again with: cardlake backfill ${shellWord(gameId)}`
        ),
        false
      )
  })
})

/** Counts of a set of answers. Its `answers` include refused answers and missing products. */
export interface AnswerCounts extends Backfilled {
  /** Refused rows, and answers without any accepted row. */
  readonly refusedPrices: number
  readonly refusedAnswers: number
}

/** Writes answers as batches below `folder`. Returns their counts; warns about a damaged one and omits it. */
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
  for (const entry of entries) {
    if (!(yield* isIntact(gameId, entry))) continue
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
  return { ...counts, products: products.size, ...countDays(daysSeen) } satisfies AnswerCounts
})

const countDays = (seen: ReadonlySet<string>): Pick<AnswerCounts, "days" | "firstDay" | "lastDay"> => {
  const days = [...seen].toSorted()
  return { days: days.length, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null }
}
