import { gzipSync } from "node:zlib"
import { Clock, DateTime, Effect, Result } from "effect"
import { withLargePageLock, type RawBody } from "../../../feed/client/RawBody.ts"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { historyOperation } from "../../../feed/client/limiter/RateBuckets.ts"
import type { MarketplaceError } from "../../../feed/client/MarketplaceError.ts"
import { RetryPolicy } from "../../../feed/client/RetryPolicy.ts"
import { claimHome } from "../../../store/home/claimHome.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import {
  addToLedger,
  type BackfillEntry,
  storeAnswer,
  readLedger,
  readBackfillLimits,
  writeBackfillLimits
} from "../../../store/home/backfill/backfillLedger.ts"
import { isThere, makeFolder } from "../../../store/home/disk.ts"
import { lockFolder } from "../../../store/home/lock/lockHome.ts"
import { newRunId } from "../../../store/home/newRunId.ts"
import { acceptAnswer, backfilledGames } from "../../../store/lake/backfill/storeBackfill.ts"
import { noLake, GameNotInLake } from "../../../store/lake/publish/openLake.ts"
import { expectedEnd } from "../../../feed/reading/readRound.ts"
import { backfillQueue, type BackfillOptions, type OpenQuestion } from "./backfillQueue.ts"
import { pricingHistory } from "../../../feed/contract/Bucket.ts"

/** Continues with limit and calls of earlier backfills. Returns what saves a changed limit after an answer. */
const resumeLimit = Effect.gen(function* () {
  const { buckets, url } = yield* Marketplace
  const { minuteMillis } = yield* RetryPolicy
  const kept = yield* readBackfillLimits
  const known = kept?.url === url ? kept : null
  const sentMillis = yield* recentAnswers((pricingHistory.windowSeconds / 60) * minuteMillis)
  buckets.recallHistory(known, sentMillis)
  let written = known
  const keep = Effect.suspend(() => {
    const learned = buckets.learnedHistory
    if (learned === null || (learned.limit === written?.limit && learned.stated === written.stated)) return Effect.void
    written = { url, limit: learned.limit, stated: learned.stated }
    return writeBackfillLimits(written)
  })
  return { keep }
})

/** Returns when backfills of any game had their answers, within this many milliseconds. */
const recentAnswers = Effect.fnUntraced(function* (millis: number) {
  const now = yield* Clock.currentTimeMillis
  const sent: Array<number> = []
  for (const gameId of yield* backfilledGames) {
    for (const { at, status } of (yield* readLedger(gameId)).values()) {
      const atMillis = Date.parse(at)
      if (status !== "queued" && atMillis > now - millis && atMillis <= now) sent.push(atMillis)
    }
  }
  return sent as ReadonlyArray<number>
})

export interface BackfillEvent {
  /** Calls that were answered or failed. */
  readonly done: number
  readonly total: number
  /** Price rows of the answers. */
  readonly rows: number
  /** Expected end at the current pace and the known limits; null if unknown or soon. */
  readonly expectedEndAt: string | null
}

export type BackfillProgress = (event: BackfillEvent) => void

/** The result of a backfill for a game, in calls: a product and a year. */
const newTally = () => ({
  stored: 0,
  /** Price rows of the stored answers. */
  rows: 0,
  refusedRows: 0,
  /** Answers that the contract rejected completely. */
  refused: 0,
  notFound: 0,
  /** Calls without an answer, which are retried later. */
  failed: 0,
  /** The reason of the last failure; null if there was none. */
  reason: null as string | null
})

/** Concurrent calls. One call at a time is enough for usual limits; without a limit, a few are faster. */
const atOnce = 4

/** Max consecutive failures. More are not caused by single products. */
const maxFailures = 5

/** An hourly limit may demand long waits, repeatedly if others use the account. */
const maxWaitMillis = 48 * 3600 * 1000

/** True for errors of one product. Any other error ends the backfill. */
const isOfProduct = ({ _tag }: MarketplaceError): boolean =>
  ["PageBroken", "RequestRefused", "ServiceFailed"].includes(_tag)

const isNotFound = (error: MarketplaceError): boolean => error._tag === "NotFound" && error.code === "PRODUCT_NOT_FOUND"

const note = Effect.fnUntraced(function* (
  { entry: { from, product, to }, gameId }: OpenQuestion,
  outcome: Omit<BackfillEntry, "at" | "product" | "from" | "to">
) {
  const at = DateTime.formatIso(yield* DateTime.now)
  yield* addToLedger(gameId, [{ product, from, to, at, ...outcome }])
})

const store = Effect.fnUntraced(function* (question: OpenQuestion, body: RawBody, tally: ReturnType<typeof newTally>) {
  const bytes = body.gzip ? body.bytes : gzipSync(body.bytes)
  const kept = yield* storeAnswer(question.gameId, question.entry, bytes)
  const accepted = acceptAnswer(question.entry, bytes)
  if (Result.isFailure(accepted)) {
    tally.refused += 1
    return yield* note(question, { status: "refused", reason: accepted.failure, ...kept })
  }
  const { days, refused } = accepted.success
  tally.stored += 1
  tally.rows += days.length
  tally.refusedRows += refused.length
  yield* note(question, { status: "stored", rows: days.length, refused: refused.length, ...kept })
})

/** Returns the named games without duplicates. Fails if the lake lacks one. */
const chooseGames = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
  const games = Object.keys((yield* readCurrent).games).sort()
  const unknown = wanted.filter((game) => !games.includes(game))
  return unknown.length > 0 ? yield* new GameNotInLake({ wanted: unknown, games }) : [...new Set(wanted)]
})

/** Returns a function that makes a backfill's calls and writes their results to the ledger. */
const makeAsk = (of: {
  /** Runs before every write. */
  readonly check: Effect.Success<ReturnType<typeof lockFolder>>["isOurs"]
  readonly afterAnswer: Effect.Success<typeof resumeLimit>["keep"]
  readonly tallyOf: (gameId: string) => ReturnType<typeof newTally>
}) => {
  let failures = 0
  return Effect.fnUntraced(function* (question: OpenQuestion) {
    const { entry, gameId } = question
    const { from, product, to } = entry
    const tally = of.tallyOf(gameId)
    const { priceHistory } = yield* Marketplace
    const answer = yield* Effect.result(priceHistory({ game: gameId, productId: product, from, to }))
    yield* of.afterAnswer
    const isAnswered = Result.isSuccess(answer)
    if (isAnswered || isNotFound(answer.failure)) failures = 0
    if (isAnswered) {
      // A home that was deleted meanwhile must not be recreated.
      yield* of.check
      return yield* store(question, answer.success, tally)
    }
    if (isNotFound(answer.failure)) {
      tally.notFound += 1
      return yield* note(question, { status: "not found" })
    }
    failures += 1
    if (!isOfProduct(answer.failure) || failures > maxFailures) return yield* answer.failure
    tally.failed += 1
    tally.reason = answer.failure.message
    return yield* note(question, { status: "failed", reason: answer.failure.message })
  })
}

/**
 * Requests the price history, one call per product and year, and stores each answer unchanged. Resumes an earlier
 * backfill, however it ended. A night may run concurrently; the next night that publishes loads the answers into the
 * lake.
 */
export const runBackfill = Effect.fn("backfill")(function* (options: BackfillOptions, onProgress: BackfillProgress) {
  const home = yield* Home
  const marketplace = yield* Marketplace
  if (!isThere(home.root)) return yield* noLake
  yield* claimHome
  const games = yield* chooseGames(options.games)
  yield* makeFolder(home.backfill)
  const lock = yield* lockFolder({ root: home.backfill, lock: home.backfillLock }, "backfill", yield* newRunId)
  const limit = yield* resumeLimit
  const startedMillis = yield* Clock.currentTimeMillis
  const { open, queued, unanswered } = yield* backfillQueue({ ...options, games })
  const tallies = new Map(games.map((gameId) => [gameId, newTally()]))
  const ensureTally = (gameId: string) => tallies.get(gameId) ?? newTally()
  const countRequests = yield* marketplace.countRequests
  let done = 0
  const tell = Effect.map(Clock.currentTimeMillis, (now) => {
    const rows = [...tallies.values()].reduce((sum, tally) => sum + tally.rows, 0)
    const progress = { operation: historyOperation, game: "", pagesDone: done, pagesTotal: open.length }
    const expectedEndAt = expectedEnd(marketplace, startedMillis, now, progress)
    onProgress({ done, total: open.length, rows, expectedEndAt })
  })
  const ask = makeAsk({ check: lock.isOurs, afterAnswer: limit.keep, tallyOf: ensureTally })
  const askAndTell = (question: OpenQuestion) =>
    ask(question).pipe(
      Effect.tap(() => Effect.sync(() => void (done += 1))),
      Effect.andThen(tell),
      withLargePageLock
    )

  yield* tell
  const policy = yield* RetryPolicy
  // The first answer shows if there are limits.
  yield* Effect.forEach(open.slice(0, 1), askAndTell, { discard: true }).pipe(
    Effect.andThen(Effect.forEach(open.slice(1), askAndTell, { concurrency: atOnce, discard: true })),
    Effect.provideService(RetryPolicy, { ...policy, maxRateWaitMillis: maxWaitMillis })
  )
  const { requests, retried, waitedMillis } = yield* countRequests()
  const seconds = ((yield* Clock.currentTimeMillis) - startedMillis) / 1000
  const reports = games.map((gameId) => {
    const tally = ensureTally(gameId)
    /** Open calls for the next backfill of this game. */
    const left = (unanswered.get(gameId) ?? 0) - tally.stored - tally.refused - tally.notFound
    return Object.assign({ gameId, queued: queued.get(gameId) ?? 0, left }, tally)
  })
  return { seconds, requests, retried, waitedSeconds: waitedMillis / 1000, games: reports }
}, Effect.scoped)
