import { Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { storeBackfill } from "../../../store/lake/backfill/storeBackfill.ts"
import { nightEvent, nightWarning } from "../../observe/nightEvent.ts"
import type { BackfillReport } from "../../observe/RunReport.ts"

const nothing = { answers: 0, products: 0, prices: 0, refusedPrices: 0, refusedAnswers: 0 }

/**
 * Takes what backfills have completed into the history, before the lake is published with it, and says of which games.
 * A failure is a warning: the answers stay, and the next night tries again.
 */
export const takeInBackfills = Effect.fn("takeInBackfills")(function* (run: RunId, games: ReadonlyArray<string>) {
  const told: Array<BackfillReport> = []
  for (const gameId of games) {
    const taken = yield* Effect.result(storeBackfill(run, gameId, false))
    if (taken._tag === "Failure") {
      const { message } = taken.failure
      told.push({ gameId, ...nothing, reason: message })
      const sentence = `The backfill of ${gameId} was not taken into the lake; the night goes on. ${message}`
      yield* nightWarning("backfill", sentence)
    } else if (taken.success !== null && taken.success.answers > 0) {
      told.push({ gameId, ...taken.success, reason: null })
      yield* nightEvent("backfill", { run, game: gameId, ...taken.success })
    }
  }
  return told as ReadonlyArray<BackfillReport>
})
