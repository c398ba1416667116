import { Effect } from "effect"
import { answerFile, readLedger, spanKey } from "../../home/backfill/backfillLedger.ts"
import { isThere } from "../../home/disk.ts"
import { backfilledGames, wholeParts } from "./backfillDamages.ts"
import { spansIn } from "./spansInHistory.ts"

/** Answers that came before a time and whose rows are in the history, which is whole: their files may go. */
export const prunableAnswers = Effect.fnUntraced(function* (beforeMillis: number) {
  const found: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const known = yield* spansIn(yield* Effect.orElseSucceed(wholeParts(gameId), () => []))
    for (const entry of (yield* readLedger(gameId)).values()) {
      if (entry.sha256 === undefined || Date.parse(entry.at) >= beforeMillis || !known.has(spanKey(entry))) continue
      const file = yield* answerFile(gameId, entry)
      if (isThere(file)) found.push(file)
    }
  }
  return found as ReadonlyArray<string>
})
