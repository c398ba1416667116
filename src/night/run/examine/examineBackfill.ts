import { Clock, DateTime, Effect } from "effect"
import { modifiedMillis } from "../../../feed/disk/Disk.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { RateBucket } from "../../../feed/client/limiter/RateBucket.ts"
import { pricingHistory } from "../../../feed/contract/Bucket.ts"
import { formatAmount, grouped } from "../../../store/diff/formatAmount.ts"
import {
  listBackfillParts,
  readBackfillLimits,
  readLedger,
  spanKey
} from "../../../store/home/backfill/backfillLedger.ts"
import { Home } from "../../../store/home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { backfilledGames } from "../../../store/lake/backfill/batchAnswers.ts"
import { spansIn } from "../../../store/lake/backfill/backfillFiles.ts"

/** A lock holder sends a heartbeat every few seconds. */
const silentMillis = 60_000

/** Counts a game's backfill in calls: a product and a year. Failed ones have no answer; the next night loads the waiting ones. */
const readQueue = Effect.fnUntraced(function* (gameId: string) {
  const known = yield* Effect.flatMap(listBackfillParts(gameId), spansIn).pipe(
    Effect.orElseSucceed((): ReadonlySet<string> => new Set())
  )
  const entries = [...(yield* readLedger(gameId)).values()]
  const answered = entries.filter((entry) => entry.status !== "queued" && entry.status !== "failed")
  const queue = {
    gameId,
    questions: entries.length,
    answered: answered.length,
    failed: entries.filter(({ status }) => status === "failed").length,
    waiting: answered.filter((entry) => !known.has(spanKey(entry))).length
  }
  return { queue, atMillis: answered.map(({ at }) => Date.parse(at)) }
})

/** The state of the home's backfills and their expected end; null if there was none. */
export const examineBackfill = Effect.gen(function* () {
  const home = yield* Home
  const queues = yield* Effect.forEach(yield* backfilledGames, readQueue)
  if (queues.length === 0) return null
  const now = yield* Clock.currentTimeMillis
  const lock = yield* lakeStep(`Check ${home.backfillLock}`, async (disk) => disk.look(home.backfillLock))
  const isRunning = lock !== null && Math.abs(now - modifiedMillis(lock)) < silentMillis
  const games = queues.map(({ queue }) => queue)
  const left = games.reduce((sum, { answered, questions }) => sum + questions - answered, 0)
  const sentMillis = queues
    .flatMap(({ atMillis }) => atMillis)
    .filter((at) => at > now - 1000 * pricingHistory.windowSeconds && at <= now)
  // A faster rate within the last hour shows a higher limit, or none.
  const limit = Math.max((yield* readBackfillLimits)?.limit ?? pricingHistory.limit, sentMillis.length)
  const windowMillis = 1000 * pricingHistory.windowSeconds
  const bucket = new RateBucket({ name: "", limit, share: 1, minuteMillis: 60_000, windowMillis, sentMillis })
  const expectedEndAt = left === 0 ? null : DateTime.formatIso(DateTime.makeUnsafe(now + bucket.millisFor(left, now)))
  const backfill = { games, left, isRunning, expectedEndAt }
  return { says: describeBackfill(backfill, limit), backfill }
})

type Queue = Effect.Success<ReturnType<typeof readQueue>>["queue"]

export interface BackfillState {
  readonly games: ReadonlyArray<Queue>
  readonly left: number
  readonly isRunning: boolean
  /** Expected end if it continues now; null if nothing is left. */
  readonly expectedEndAt: string | null
}

const describeBackfill = ({ expectedEndAt, games, isRunning, left }: BackfillState, limit: number): string => {
  const each = games.map(({ answered, failed, gameId, questions }) => {
    const inVain = failed === 0 ? "" : `, ${grouped(failed)} failed`
    return `${gameId} ${grouped(answered)} of ${formatAmount(questions, "question")} answered${inVain}`
  })
  const waiting = games.reduce((sum, game) => sum + game.waiting, 0)
  const next = waiting === 0 ? [] : [`The next night loads ${formatAmount(waiting, "answer")} into the lake`]
  if (expectedEndAt === null) return [each.join("; "), ...next].join(". ")
  const end = `by ${expectedEndAt.slice(0, 16).replace("T", " ")} UTC, at ${grouped(limit)} an hour`
  const open = games.filter(({ answered, questions }) => answered < questions).map(({ gameId }) => gameId)
  const rest = isRunning
    ? `A backfill is running; it requests the remaining ${grouped(left)} ${end}`
    : `${grouped(left)} remain; to request them ${end}, continue with: cardlake backfill ${open.map(shellWord).join(" ")}`
  return [each.join("; "), ...next, rest].join(". ")
}
