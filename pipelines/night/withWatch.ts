import { Effect } from "effect"
import type { NightReport } from "../../src/observe/NightOutcome.ts"
import { nightWarning } from "../../src/observe/nightEvent.ts"
import { watchHits } from "../../src/own/watchHits.ts"

/** A night's report with what has newly reached a bound of the watchlist. The night never fails because of it. */
export const withWatch = (report: NightReport) =>
  Effect.matchEffect(watchHits(), {
    onSuccess: (prices): Effect.Effect<NightReport> => {
      const hits = prices.filter((price) => price["is_new"] === true)
      return Effect.succeed(hits.length === 0 ? report : { ...report, watchHits: hits })
    },
    // Before the first night there is no lake to look at.
    onFailure: (error) =>
      error._tag === "NoLake"
        ? Effect.succeed(report)
        : Effect.as(nightWarning("watch", `The watchlist could not be looked at: ${error.message}`), report)
  })
