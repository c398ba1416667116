import { LakeError } from "../../feed/reading/LakeError.ts"
import { type Destination, DestinationFailed } from "./Destination.ts"
import { stepAfter } from "./stepAfter.ts"

/** A fault of a file in the destination, or staged for it, says nothing of the home. */
export const ofDestination =
  ({ root }: Destination, stage: string) =>
  <E>(error: E): E | DestinationFailed => {
    if (!(error instanceof LakeError)) return error
    const [reason = ""] = String(error.cause instanceof Error ? error.cause.message : error.cause).split("\n")
    // A full disk does not always name the file; then the step does.
    const told = `${error.step} ${reason}`
    if (!told.includes(stage) && !told.includes(`${root}/`)) return error
    return new DestinationFailed({ step: error.step, reason, next: stepAfter(reason) })
  }
