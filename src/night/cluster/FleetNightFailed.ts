import { Data, Runtime } from "effect"

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
