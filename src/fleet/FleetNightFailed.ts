import { Data } from "effect"

/** A night of the fleet that could not be planned or published. `reason` ends with the next step. */
export class FleetNightFailed extends Data.TaggedError("FleetNightFailed")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}
