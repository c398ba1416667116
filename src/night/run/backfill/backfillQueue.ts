import { DateTime, Effect, Result, Clock } from "effect"
import { modifiedMillis } from "../../../feed/disk/Disk.ts"
import {
  listBackfillParts,
  addToLedger,
  answerFile,
  type BackfillEntry,
  readLedger,
  spanKey,
  type BackfillSpan,
  readBackfillLimits
} from "../../../store/home/backfill/backfillLedger.ts"
import { fileSha256, namesIn, removeAll, verifyKept } from "../../../store/home/disk.ts"
import { Home, readCurrent } from "../../../store/home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { isIntact, readAnswer, backfilledGames } from "../../../store/lake/backfill/storeBackfill.ts"
import { spansIn } from "../../../store/lake/backfill/backfillFiles.ts"
import { join } from "node:path"
import { maxHistoryDays } from "../../../feed/contract/PriceHistory.ts"
import { readSnapshot } from "../../../store/home/Manifest.ts"
import { scratchSession } from "../../../store/lake/duckdb/Lake.ts"
import { snapshotRows } from "../../../store/lake/snapshot/snapshotRows.ts"
import { openLake } from "../../../store/lake/publish/openLake.ts"
import { ownText } from "../../../feed/disk/ownText.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { RateBucket } from "../../../feed/client/limiter/RateBucket.ts"
import { pricingHistory } from "../../../feed/contract/Bucket.ts"
import { formatAmount, grouped } from "../../../store/diff/formatAmount.ts"

const candidates = ownText(new URL("./backfillProducts.sql", import.meta.url))

/** The tables for the condition if no lake exists. */
const openTables = Effect.fnUntraced(function* (games: ReadonlyArray<string>) {
  const home = yield* Home
  const current = yield* readCurrent
  const live = yield* Effect.forEach(
    games.flatMap((gameId) => current.games[gameId]?.snapshot ?? []),
    (snapshot, index) => readSnapshot(home.snapshot(games[index] ?? "", snapshot))
  )
  const session = yield* scratchSession
  for (const table of ["products", "source_prices"])
    yield* session.run(`Open ${table}`, `create view ${table} as ${yield* snapshotRows(live, table)}`)
  return session
})

/** Returns the products of a backfill, most expensive first: those with prices, or those that meet a condition. */
export const backfillProducts = Effect.fn("backfillProducts")(function* (
  games: ReadonlyArray<string>,
  where: string | null
) {
  const session = (yield* Home).place.buildsLake ? yield* openLake : yield* openTables(games)
  yield* session.set({ backfill_games: games })
  yield* session.run("Read the products", candidates)
  const selection = session.rows(
    "Choose the products",
    `select game_id, product_id::varchar as product from candidates
     where (${where ?? "market_value is not null"}
     ) order by market_value desc nulls last, game_id, product_id`
  )
  const rows = yield* where === null
    ? selection
    : Effect.mapError(selection, ({ cause }) => {
        const [reason = ""] = (cause instanceof Error ? cause.message : String(cause)).split("\n")
        return new Fault(
          "WhereInvalid",
          `--where ${JSON.stringify(where)} is not a condition on products (${reason}). It may use the columns of table products, and market_value, the product's highest: cardlake describe products`,
          2
        )
      })
  return rows.map(({ game_id, product }) => ({ gameId: String(game_id), product: Number(product) }))
}, Effect.scoped)

const dayMillis = 86_400_000

/** Returns the day this many days earlier. */
const before = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMillis).toISOString().slice(0, 10)

type Days = Pick<BackfillSpan, "from" | "to">

/** Splits the days up to `to`, inclusive, into calls of a year, newest first. */
const years = (from: string, to: string): ReadonlyArray<Days> => {
  if (from > to) return []
  const first = before(to, maxHistoryDays - 1)
  return first <= from ? [{ from, to }] : [{ from: first, to }, ...years(from, before(first, 1))]
}

/** Days of a product to queue after `known`: at first the year up to `today` or since `since`, then earlier. */
const missingWindows = (known: ReadonlyArray<Days>, today: string, since: string | null): ReadonlyArray<Days> => {
  if (known.length === 0) return years(since ?? before(today, maxHistoryDays - 1), today)
  const first = known.map(({ from }) => from).reduce((least, from) => (from < least ? from : least))
  return since === null ? [] : years(since, before(first, 1))
}

export interface BackfillOptions {
  readonly games: ReadonlyArray<string>
  /** A condition on products; null selects those with prices. */
  readonly where: string | null
  /** The first day; null = a year. */
  readonly from: string | null
}

/** A call without an answer. */
export interface OpenQuestion {
  readonly gameId: string
  readonly entry: BackfillEntry
}

/** Adds the products to the ledgers, and returns the open calls, most expensive product first. */
export const backfillQueue = Effect.fn("backfillQueue")(function* ({ from: since, games, where }: BackfillOptions) {
  const list = yield* backfillProducts(games, where)
  const now = DateTime.formatIso(yield* DateTime.now)
  const ledgers = new Map<string, ReadonlyMap<string, BackfillEntry>>()
  /** Products that were added, by game. */
  const queued = new Map<string, number>()
  const answered = new Map<string, ReadonlySet<string>>()
  for (const gameId of games) {
    const ledger = yield* readLedger(gameId)
    const known = Map.groupBy(ledger.values(), ({ product }) => product)
    const products = list.filter((one) => one.gameId === gameId).map(({ product }) => product)
    const fresh = products.flatMap((product) =>
      missingWindows(known.get(product) ?? [], now.slice(0, 10), since).map(({ from, to }): BackfillEntry => ({
        product,
        from,
        to,
        status: "queued",
        at: now
      }))
    )
    yield* addToLedger(gameId, fresh)
    ledgers.set(gameId, new Map([...ledger, ...fresh.map((entry) => [spanKey(entry), entry] as const)]))
    queued.set(gameId, new Set(fresh.map(({ product }) => product)).size)
    answered.set(gameId, yield* completedCalls(gameId, ledgers.get(gameId) ?? new Map()))
  }
  const places = new Map(list.map(({ gameId, product }, place) => [`${gameId}/${product}`, place]))
  const placed = [...ledgers].flatMap(([gameId, ledger]) =>
    [...ledger.values()].flatMap((entry) => {
      const place = places.get(`${gameId}/${entry.product}`)
      // With a condition, other queued calls wait for the next backfill without one.
      const isWanted = place !== undefined || where === null
      return answered.get(gameId)?.has(spanKey(entry)) !== true && isWanted
        ? [{ gameId, entry, place: place ?? list.length }]
        : []
    })
  )
  const open = placed.sort((a, b) => a.place - b.place || (a.entry.to < b.entry.to ? 1 : -1))
  /** Calls of a game without an answer, including those that this backfill skips. */
  const unanswered = new Map(
    [...ledgers].map(([gameId, ledger]) => {
      const done = answered.get(gameId)
      return [gameId, [...ledger.keys()].filter((key) => done?.has(key) !== true).length] as const
    })
  )
  return { open, unanswered, queued }
})

/**
 * Returns the calls that need no repeat: already in the history, stored as a raw response, or for an unknown product.
 * Responses that a killed run left without a ledger entry get one.
 */
const completedCalls = Effect.fnUntraced(function* (gameId: string, ledger: ReadonlyMap<string, BackfillEntry>) {
  const done = new Set(yield* spansIn(yield* listBackfillParts(gameId)))
  const there = yield* tidyAnswers(gameId)
  for (const [key, entry] of ledger) {
    if (done.has(key)) continue
    if (entry.status === "not found") done.add(key)
    else if (!there.has(`${key}.json.gz`)) continue
    else if (
      entry.sha256 === undefined
        ? yield* adoptAnswer(gameId, entry)
        : yield* isIntact(gameId, entry, { next: "It is requested again", verify: verifyKept })
    )
      done.add(key)
  }
  return done
})

/** Returns the names of a game's answers. Partial files of a killed run are deleted. */
const tidyAnswers = Effect.fnUntraced(function* (gameId: string) {
  const folder = (yield* Home).backfillAnswers(gameId)
  const names = yield* namesIn(folder)
  const half = names.filter((name) => /^-?\d+-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.json\.gz\.part$/.test(name))
  yield* removeAll(
    "Remove half-written answers",
    half.map((name) => join(folder, name))
  )
  return new Set(names)
})

/** Adds an answer to the ledger. Files are written atomically, but a power failure may truncate them. */
const adoptAnswer = Effect.fnUntraced(function* (gameId: string, entry: BackfillEntry) {
  const accepted = yield* readAnswer(gameId, entry)
  if (Result.isFailure(accepted)) return false
  const file = yield* answerFile(gameId, entry)
  const found = yield* lakeStep(`Check ${file}`, async (disk) => disk.look(file))
  const { days, refused } = accepted.success
  const { from, product, to } = entry
  const at = found === null ? entry.at : DateTime.formatIso(DateTime.makeUnsafe(modifiedMillis(found)))
  const counts = { rows: days.length, refused: refused.length }
  const kept = { sizeBytes: found?.sizeBytes ?? 0, sha256: yield* fileSha256(file) }
  yield* addToLedger(gameId, [{ product, from, to, status: "stored", at, ...counts, ...kept }])
  return true
})

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
