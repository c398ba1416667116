import { DateTime, Effect, Schema, Data, Runtime } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { NightId } from "../../store/home/bucket/nights/nightId.ts"
import { RunReport } from "../observe/RunReport.ts"
import { failedGame } from "../run/gameReport.ts"

/** What a night of the fleet reads: the heaviest games first, so that no worker is left alone with one at the end. */
export const Plan = Schema.Struct({ night: NightId, games: Schema.Array(Schema.String) })
export type Plan = typeof Plan.Type

/** How a night ended. `exitCode`: of one that could not be planned or published; workers of earlier releases say none. */
export const NightEnd = Schema.Struct({ ...RunReport.fields, exitCode: Schema.optionalKey(Schema.Int) })
export type NightEnd = typeof NightEnd.Type

/**
 * What a worker does of a night. Each step may be done again, by the same worker or another one, and then changes
 * nothing: the bucket sees to that. None fails: what went wrong is a verdict.
 */
export interface FleetSteps {
  /** The games of a new night. None named: all. A night that cannot be planned ends with this report. */
  readonly plan: (games: ReadonlyArray<string>) => Effect.Effect<Plan, NightEnd>
  /** One game: read, loaded, compared and judged, and ready in the bucket. */
  readonly read: (night: NightId, gameId: string) => Effect.Effect<RunReport>
  /** All that is ready, in one swap. */
  readonly publish: (night: NightId, games: ReadonlyArray<RunReport>) => Effect.Effect<NightEnd>
}

/** What a step reports that could not be done. No game: the night as a whole. */
export const failedReport = Effect.fnUntraced(function* (gameId: string | null, reason: string, exitCode = 1) {
  const startedAt = DateTime.formatIso(yield* DateTime.now)
  return {
    run: RunId.make(`${startedAt.replaceAll(/[-:.]/g, "")}-0000`),
    kind: "nightly",
    why: null,
    startedAt,
    verdict: "failed",
    ...(gameId === null ? { reason, exitCode } : {}),
    seconds: 0,
    games: gameId === null ? [] : [failedGame(gameId, reason)]
  } satisfies NightEnd
})

/** A night of the fleet that could not be planned or published. `reason` ends with the next step. */
export class FleetNightFailed extends Data.TaggedError("FleetNightFailed")<{
  readonly reason: string
  readonly exitCode: number
}> {
  override readonly [Runtime.errorExitCode] = this.exitCode

  override get message() {
    return this.reason
  }
}
