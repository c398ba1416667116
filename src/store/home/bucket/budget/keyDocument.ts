import { scrypt } from "node:crypto"
import { Effect, Schema } from "effect"
import { type AskedBudget, LimitFact } from "../../../../feed/client/KeyBudget.ts"
import type { StoreTime } from "../storeClock.ts"

/** A limit: its window, until when nobody may send, and what was spent: tokens by the time until which they may arrive. */
const SpentLimit = Schema.Struct({
  windowMillis: Schema.Finite,
  heldUntil: Schema.Finite,
  spent: Schema.Array(Schema.Tuple([Schema.Finite, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))]))
})
export type SpentLimit = typeof SpentLimit.Type

/** `keys/<hash>.json`: what was spent of a key's limits. It is swapped. Times are the store's, in milliseconds. */
export const KeyDocument = Schema.Struct({
  format: Schema.Literal(1),
  /** When it began, and others may have asked before; null: nobody had. */
  since: Schema.NullOr(Schema.Finite),
  /** Until then, somebody may have a lease of the document before it. */
  heldUntil: Schema.Finite,
  /** When each worker asked last. */
  workers: Schema.Record(Schema.String, Schema.Finite),
  limits: Schema.Record(Schema.String, SpentLimit),
  facts: Schema.Array(LimitFact),
  writers: Schema.Array(Schema.String)
})
export type KeyDocument = typeof KeyDocument.Type

/** No service counts requests in longer windows, and nobody is asked to wait for longer: a day. */
export const longestMinutes = 1440

/**
 * True if a time in the document is further ahead of the store's clock than a window and a lease, or a window is longer
 * than a day: the document is damaged, or that clock was ahead once. Whoever believed it would wait for ever.
 */
export const isAhead = (
  { heldUntil, limits, since, workers }: KeyDocument,
  { leaseMillis, minuteMillis }: Pick<AskedBudget, "leaseMillis" | "minuteMillis">,
  { latest }: StoreTime
): boolean => {
  const all = Object.values(limits)
  const window = Math.max(minuteMillis, ...all.map(({ windowMillis }) => windowMillis))
  const times = all.flatMap((limit) => limit.spent.map(([until]) => until).concat(limit.heldUntil))
  return (
    window > longestMinutes * minuteMillis ||
    Math.max(since ?? 0, heldUntil, ...Object.values(workers), ...times) > latest + window + leaseMillis
  )
}

/**
 * What a key's document is called. Nobody finds the key from it. Whoever guesses weak keys pays 32 MB and a moment for
 * each guess; the salt is the same for all, so that every worker finds the same document.
 */
export const hashOfKey = (key: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    scrypt(key, "cardlake/keys/1", 16, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }, (error, hash) =>
      resume(error === null ? Effect.succeed(hash.toString("hex")) : Effect.die(error))
    )
  })

export const budgetKey = (hash: string) => `keys/${hash}.json`
