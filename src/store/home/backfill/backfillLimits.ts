import { Effect, Schema } from "effect"
import { isThere } from "../disk.ts"
import { Home } from "../Home.ts"
import { readJson, writeJson } from "../jsonFile.ts"

/** `backfill/limits.json`: what a marketplace said of the limit of its price history. */
export const BackfillLimits = Schema.Struct({
  url: Schema.String,
  limit: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** What its headers stated then; null = nothing. */
  stated: Schema.NullOr(Schema.Int)
})
export type BackfillLimits = typeof BackfillLimits.Type

/** Null: none was learnt. A damaged file is none either: it is learnt again. */
export const readBackfillLimits = Effect.gen(function* () {
  const { backfillLimits } = yield* Home
  if (!isThere(backfillLimits)) return null
  const learntAgain = `${backfillLimits} cannot be read. The limit of the price history is learnt again`
  return yield* readJson(backfillLimits, BackfillLimits).pipe(
    Effect.catch(() => Effect.as(Effect.logWarning(learntAgain), null))
  )
})

export const writeBackfillLimits = (limits: BackfillLimits) =>
  Effect.flatMap(Home, ({ backfillLimits }) => writeJson(backfillLimits, BackfillLimits, limits))
