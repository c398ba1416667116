import { Data } from "effect"

/** Postgres cannot be reached, or does not keep what a fleet needs of it. `reason` ends with the next step. */
export class FleetUnfit extends Data.TaggedError("FleetUnfit")<{ readonly at: string; readonly reason: string }> {
  override get message() {
    return `${this.at}: ${this.reason}`
  }
}
