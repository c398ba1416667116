import { DateTime, Effect, Schema } from "effect"
import { RunId } from "../contract/Ids.ts"
import { NightId } from "../home/bucket/nightId.ts"
import type { RunReport } from "../observe/RunReport.ts"
import { unreadReport } from "../run/gameReport.ts"

/** What a night of the fleet reads: the heaviest games first, so that no worker is left alone with one at the end. */
export const Plan = Schema.Struct({ night: NightId, games: Schema.Array(Schema.String) })
export type Plan = typeof Plan.Type

/**
 * What a worker does of a night. Each step may be done again, by the same worker or another one, and then changes
 * nothing: the bucket sees to that. None fails: what went wrong is a verdict.
 */
export interface FleetSteps {
  /** The games of a new night. None named: all. A night that cannot be planned ends with this report. */
  readonly plan: (games: ReadonlyArray<string>) => Effect.Effect<Plan, RunReport>
  /** One game: read, loaded, compared and judged, and ready in the bucket. */
  readonly read: (night: NightId, gameId: string) => Effect.Effect<RunReport>
  /** All that is ready, in one swap. */
  readonly publish: (night: NightId, games: ReadonlyArray<RunReport>) => Effect.Effect<RunReport>
}

/** What a step reports that could not be done. No game: the night as a whole. */
export const failedReport = Effect.fnUntraced(function* (gameId: string | null, reason: string) {
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  return {
    run: RunId.make(`${startedAt.replaceAll(/[-:.]/g, "")}-0000`),
    kind: "nightly",
    why: null,
    startedAt,
    verdict: "failed",
    ...(gameId === null ? { reason } : {}),
    seconds: 0,
    games: gameId === null ? [] : [unreadReport({ gameId, verdict: "failed", reason, snapshot: null, seconds: 0 })]
  } satisfies RunReport
})
