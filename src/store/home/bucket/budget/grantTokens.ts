import type { AskedBudget, AskedLimit, LeasedLimit, LimitFact } from "../../../../feed/client/KeyBudget.ts"
import { type KeyDocument, longestMinutes, type SpentLimit } from "./keyDocument.ts"
import type { StoreTime } from "../storeClock.ts"

/** Times in a window that spent tokens are told apart by. */
const slotsOfWindow = 120

type Spent = ReadonlyArray<readonly [until: number, tokens: number]>

const add = (spent: Spent, until: number, tokens: number): Spent => {
  if (tokens === 0) return spent
  const others = spent.filter(([at]) => at !== until)
  const before = spent.find(([at]) => at === until)?.[1] ?? 0
  return before + tokens > 0 ? [...others, [until, before + tokens] as const].toSorted(([a], [b]) => a - b) : others
}
const sumOf = (spent: Spent) => spent.reduce((sum, [, tokens]) => sum + tokens, 0)

/** A token counts from the latest moment at which it may arrive, until a window after it has surely passed. */
const grantOne = (
  document: KeyDocument,
  asked: AskedLimit,
  { leaseMillis, minuteMillis, travelMillis }: AskedBudget,
  { earliest, latest }: StoreTime
): { readonly known: SpentLimit; readonly leased: LeasedLimit; readonly isNews: boolean } => {
  const found = document.limits[asked.id]
  const holdMillis = Math.min(asked.holdMillis, longestMinutes * minuteMillis)
  // Whoever asks to wait for longer than a window counts in longer ones.
  const windowMillis = Math.max(found?.windowMillis ?? 0, asked.windowMillis, holdMillis)
  const slotOf = (millis: number) => Math.ceil(millis / (windowMillis / slotsOfWindow)) * (windowMillis / slotsOfWindow)
  const lateSlot = slotOf(latest)
  const slot = slotOf(latest + leaseMillis + travelMillis)
  const heldUntil = Math.max(
    found?.heldUntil ?? -Infinity,
    document.heldUntil,
    holdMillis > 0 ? latest + holdMillis : -Infinity
  )

  let spent: Spent = (found?.spent ?? []).filter(([until]) => until + windowMillis > earliest)
  for (const [at, tokens] of asked.late) {
    const there = spent.find(([until]) => until === at)?.[1] ?? 0
    spent = add(add(spent, at, -Math.min(there, tokens)), lateSlot, tokens)
  }
  // Nothing is known of the time before the document, unless the service says what it has counted.
  const isDark = found === undefined && document.since !== null && document.since + windowMillis > earliest
  const counted = asked.used ?? (isDark ? asked.limit : 0)
  const foreign = Math.max(0, counted - sumOf(spent))
  spent = add(spent, lateSlot, foreign)

  const free = asked.room - sumOf(spent)
  const isHeld = heldUntil > earliest
  // Each leaves the others their part, but two of them may have what fits into a lease.
  const workers = Math.max(2, Object.keys(document.workers).length)
  const most = Math.max(
    1,
    Math.floor(free / workers),
    Math.ceil((2 * asked.room * leaseMillis) / windowMillis / workers)
  )
  const tokens = isHeld || free < 1 ? 0 : Math.min(asked.want, free, most)
  const waitMillis = Math.max(
    isHeld ? heldUntil - earliest : 0,
    free < 1 ? (spent[0]?.[0] ?? earliest) + windowMillis - earliest : 0
  )
  return {
    known: { windowMillis, heldUntil: Math.max(heldUntil, 0), spent: [...add(spent, slot, tokens)] },
    leased: { tokens, slot, lateSlot, waitMillis },
    isNews: tokens > 0 || foreign > 0 || asked.holdMillis > 0 || asked.late.size > 0
  }
}

const factKey = ({ bucket, game, kind, operation }: LimitFact) => JSON.stringify([kind, operation, game, bucket])

/** A worker that did not ask for so many leases has ended, or asks for nothing. */
const leasesAlive = 20

/** What a worker gets of a budget at this time, and the budget afterwards: all of what it wants or nothing of any limit. */
export const grantTokens = (before: KeyDocument, worker: string, asked: AskedBudget, time: StoreTime) => {
  const alive = Object.entries(before.workers).filter(
    ([name, at]) => name !== worker && at > time.earliest - leasesAlive * asked.leaseMillis
  )
  const document = { ...before, workers: { ...Object.fromEntries(alive), [worker]: time.latest } }
  const isShort = asked.limits.some(
    (limit) => limit.want > 0 && grantOne(document, limit, asked, time).leased.tokens === 0
  )
  const limits = { ...document.limits }
  const leased = new Map<string, LeasedLimit>()
  let isChanged = asked.facts.length > 0 || before.workers[worker] === undefined
  for (const limit of asked.limits) {
    const granted = grantOne(document, isShort ? { ...limit, want: 0 } : limit, asked, time)
    limits[limit.id] = granted.known
    leased.set(limit.id, granted.leased)
    isChanged ||= granted.isNews
  }
  const told = new Set(asked.facts.map(factKey))
  const facts = [...document.facts.filter((fact) => !told.has(factKey(fact))), ...asked.facts].slice(-200)
  return { next: { ...document, limits, facts } satisfies KeyDocument, leased, isChanged }
}
