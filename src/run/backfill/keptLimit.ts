import { Clock, Effect } from "effect"
import { Marketplace } from "../../client/Marketplace.ts"
import { historyOperation } from "../../client/documentedBuckets.ts"
import { RetryPolicy } from "../../client/RetryPolicy.ts"
import { pricingHistory } from "../../contract/Bucket.ts"
import { readBackfillLimits, writeBackfillLimits } from "../../home/backfill/backfillLimits.ts"
import { readLedger } from "../../home/backfill/backfillLedger.ts"
import { backfilledGames } from "../../lake/backfill/backfillDamages.ts"

/**
 * Begins within the limit that earlier backfills learnt, with what they asked for in its window. Returns what keeps the
 * limit once it is another one; it is to be run after each answer.
 */
export const keptLimit = Effect.gen(function* () {
  const { ownLimits, url } = yield* Marketplace
  const { minuteMillis } = yield* RetryPolicy
  const kept = yield* readBackfillLimits
  const known = kept?.url === url ? kept : null
  const sentMillis = yield* askedSince((pricingHistory.windowSeconds / 60) * minuteMillis)
  ownLimits.recall(historyOperation, { own: known, sentMillis }, { minuteMillis })
  let written = known
  const keep = Effect.suspend(() => {
    const told = ownLimits.told(historyOperation)
    if (told === null || (told.limit === written?.limit && told.stated === written.stated)) return Effect.void
    written = { url, limit: told.limit, stated: told.stated }
    return writeBackfillLimits(written)
  })
  return { keep }
})

/** When backfills of any game had their answers, so many milliseconds ago at most. */
const askedSince = Effect.fnUntraced(function* (millis: number) {
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
