import { DateTime, Effect, Schema, Data, Runtime } from "effect"
import { RunId } from "../../feed/contract/Ids.ts"
import { NightId } from "../../store/home/bucket/nights/nightId.ts"
import { RunReport } from "../observe/RunReport.ts"
import { failedGame } from "../run/commitRun.ts"

/** The plan of a fleet's night: the heaviest games first, so that no worker ends the night alone with one. */
export const Plan = Schema.Struct({ night: NightId, games: Schema.Array(Schema.String) })
export type Plan = typeof Plan.Type

/** The outcome of a night. `exitCode`: if it could not be planned or published. Earlier releases omit it. */
export const NightEnd = Schema.Struct({ ...RunReport.fields, exitCode: Schema.optionalKey(Schema.Int) })
export type NightEnd = typeof NightEnd.Type

/** A worker's idempotent steps: any worker may repeat one. None fails; errors become verdicts. */
export interface FleetSteps {
  /** Returns the games of a new night; an empty list selects all. Fails with the report of a night without a plan. */
  readonly plan: (games: ReadonlyArray<string>) => Effect.Effect<Plan, NightEnd>
  /** Reads, loads, compares and judges one game, and stores it in the bucket. */
  readonly read: (night: NightId, gameId: string) => Effect.Effect<RunReport>
  /** Publishes all ready games in one swap. */
  readonly publish: (night: NightId, games: ReadonlyArray<RunReport>) => Effect.Effect<NightEnd>
}

/** Returns the report of a failed step. A null game means the night as a whole. */
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

/** A night of the fleet could not be planned or published. `reason` ends with the next step. */
export class FleetNightFailed extends Data.TaggedError("FleetNightFailed")<{
  readonly reason: string
  readonly exitCode: number
}> {
  override readonly [Runtime.errorExitCode] = this.exitCode

  override get message() {
    return this.reason
  }
}
