import { scrypt } from "node:crypto"
import { Effect, Schema } from "effect"
import {
  type BudgetRequest,
  type LimitRequest,
  factKey,
  type LeasedLimit,
  LimitFact
} from "../../../../feed/client/limiter/TokenStore.ts"
import type { StoreTime } from "../openBucket.ts"

/** A limit: its window, the end of a hold, and the spent tokens by their latest possible arrival. */
const SpentLimit = Schema.Struct({
  windowMillis: Schema.Finite,
  heldUntil: Schema.Finite,
  spent: Schema.Array(Schema.Tuple([Schema.Finite, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))]))
})
type SpentLimit = typeof SpentLimit.Type

/** `keys/<hash>.json`: the spent tokens of a key's limits. Updated by compare-and-swap. Times: store clock, in ms. */
export const KeyDocument = Schema.Struct({
  format: Schema.Literal(1),
  /** The creation time if other requests may have preceded it; null if there were none. */
  since: Schema.NullOr(Schema.Finite),
  /** The time until which a worker may have a lease from an earlier document. */
  heldUntil: Schema.Finite,
  /** The time of each worker's last request. */
  workers: Schema.Record(Schema.String, Schema.Finite),
  limits: Schema.Record(Schema.String, SpentLimit),
  facts: Schema.Array(LimitFact)
})
export type KeyDocument = typeof KeyDocument.Type

/** The maximum window and hold: a day. No service has longer ones. */
const maxMinutes = 1440

/**
 * True if a time in the document is too far ahead of the store's clock, or a window exceeds a day. The document is then
 * damaged, or that clock was wrong once. Workers would wait forever.
 */
export const isAhead = (
  { heldUntil, limits, since, workers }: KeyDocument,
  { leaseMillis, minuteMillis }: Pick<BudgetRequest, "leaseMillis" | "minuteMillis">,
  { latest }: StoreTime
): boolean => {
  const all = Object.values(limits)
  const window = Math.max(minuteMillis, ...all.map(({ windowMillis }) => windowMillis))
  const times = all.flatMap((limit) => limit.spent.map(([until]) => until).concat(limit.heldUntil))
  return (
    window > maxMinutes * minuteMillis ||
    Math.max(since ?? 0, heldUntil, ...Object.values(workers), ...times) > latest + window + leaseMillis
  )
}

/**
 * Hashes a key for its document's name, which does not reveal the key. Each guess of a weak key costs 32 MB and some
 * time. The salt is constant, so that all workers find the same document.
 */
export const hashOfKey = (key: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    scrypt(key, "cardlake/keys/1", 16, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }, (error, hash) =>
      resume(error === null ? Effect.succeed(hash.toString("hex")) : Effect.die(error))
    )
  })

export const budgetKey = (hash: string) => `keys/${hash}.json`

/** The number of time slots per window that separate spent tokens. */
const slotsOfWindow = 120

/** The number of leases without a request after which a worker counts as inactive. */
const leasesAlive = 20

/** The maximum number of facts in a document. */
const maxFacts = 200

/** A token counts from its latest possible arrival until a window later. */
const grantOne = (
  document: KeyDocument,
  request: LimitRequest,
  { leaseMillis, minuteMillis, travelMillis }: BudgetRequest,
  { earliest, latest }: StoreTime
): { readonly known: SpentLimit; readonly leased: LeasedLimit; readonly isNews: boolean } => {
  const found = document.limits[request.id]
  const holdMillis = Math.min(request.holdMillis, maxMinutes * minuteMillis)
  // If a hold exceeds the window, the service uses a longer window.
  const windowMillis = Math.max(found?.windowMillis ?? 0, request.windowMillis, holdMillis)
  const slotEnd = (millis: number) =>
    Math.ceil(millis / (windowMillis / slotsOfWindow)) * (windowMillis / slotsOfWindow)
  const lateSlot = slotEnd(latest)
  const slot = slotEnd(latest + leaseMillis + travelMillis)
  const heldHere = holdMillis > 0 ? latest + holdMillis : 0
  const heldUntil = Math.max(found?.heldUntil ?? 0, document.heldUntil, heldHere)

  const spent = new Map((found?.spent ?? []).filter(([until]) => until + windowMillis > earliest))
  const spend = (until: number, tokens: number) => void spent.set(until, (spent.get(until) ?? 0) + tokens)
  const sum = () => [...spent.values()].reduce((sum, tokens) => sum + tokens, 0)
  for (const [at, tokens] of request.late) {
    spend(at, -Math.min(spent.get(at) ?? 0, tokens))
    spend(lateSlot, tokens)
  }
  // Requests before the document are unknown, unless the service has stated its count.
  const isDark = found === undefined && document.since !== null && document.since + windowMillis > earliest
  const counted = request.used ?? (isDark ? request.limit : 0)
  const byOthers = Math.max(0, counted - sum())
  spend(lateSlot, byOthers)

  const free = request.room - sum()
  const isHeld = heldUntil > earliest
  // Each worker gets its share of the free tokens, or of twice the even rate during a lease if that is more.
  const workers = Math.max(2, Object.keys(document.workers).length)
  const inLease = Math.ceil((2 * request.room * leaseMillis) / windowMillis / workers)
  const most = Math.max(1, Math.floor(free / workers), inLease)
  const tokens = isHeld || free < 1 ? 0 : Math.min(request.want, free, most)
  const firstUntil = listSpent(spent)[0]?.[0] ?? earliest
  const waitMillis = Math.max(isHeld ? heldUntil - earliest : 0, free < 1 ? firstUntil + windowMillis - earliest : 0)
  spend(slot, tokens)
  return {
    known: { windowMillis, heldUntil, spent: listSpent(spent) },
    leased: { tokens, slot, lateSlot, waitMillis },
    isNews: tokens > 0 || byOthers > 0 || request.holdMillis > 0 || request.late.size > 0
  }
}

/** Returns the spent tokens by time, without empty slots. */
const listSpent = (spent: ReadonlyMap<number, number>): SpentLimit["spent"] =>
  [...spent].filter(([, tokens]) => tokens > 0).toSorted(([a], [b]) => a - b)

/** Returns a worker's grant at this time, and the new budget. Grants all requested tokens, or none of any limit. */
export const grantTokens = (before: KeyDocument, worker: string, request: BudgetRequest, time: StoreTime) => {
  const alive = Object.entries(before.workers).filter(
    ([name, at]) => name !== worker && at > time.earliest - leasesAlive * request.leaseMillis
  )
  const document = { ...before, workers: { ...Object.fromEntries(alive), [worker]: time.latest } }
  const isShort = request.limits.some(
    (limit) => limit.want > 0 && grantOne(document, limit, request, time).leased.tokens === 0
  )
  const granted = request.limits.map((limit) => ({
    id: limit.id,
    ...grantOne(document, isShort ? { ...limit, want: 0 } : limit, request, time)
  }))
  const limits = { ...document.limits, ...Object.fromEntries(granted.map(({ id, known }) => [id, known])) }
  const reported = new Set(request.facts.map(factKey))
  const facts = [...document.facts.filter((fact) => !reported.has(factKey(fact))), ...request.facts].slice(-maxFacts)
  return {
    next: { ...document, limits, facts } satisfies KeyDocument,
    leased: new Map(granted.map(({ id, leased }) => [id, leased])),
    isChanged: request.facts.length > 0 || before.workers[worker] === undefined || granted.some(({ isNews }) => isNews)
  }
}
