import { Effect } from "effect"
import type { RunId } from "../../contract/Ids.ts"
import { storeBackfill } from "../../lake/backfill/storeBackfill.ts"
import { nightEvent, nightWarning } from "../../observe/nightEvent.ts"

/**
 * Takes what backfills have completed into the history, before the lake is published with it. A failure is a warning:
 * the answers stay, and the next night tries again.
 */
export const takeInBackfills = Effect.fn("takeInBackfills")(function* (run: RunId, games: ReadonlyArray<string>) {
  for (const gameId of games) {
    const taken = yield* storeBackfill(run, gameId, false).pipe(
      Effect.catch(({ message }) =>
        Effect.as(
          nightWarning(
            "backfill",
            `The backfill of ${gameId} was not taken into the lake; the night goes on. ${message}`
          ),
          null
        )
      )
    )
    if (taken === null) continue
    const { answers, prices } = taken
    yield* nightEvent("backfill", { run, game: gameId, answers, prices })
  }
})
