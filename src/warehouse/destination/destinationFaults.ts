import { LakeError } from "../../feed/reading/LakeError.ts"
import { type Destination, DestinationFailed } from "./Destination.ts"

/** What to do after files could not be written, by the words of the system, DuckDB or SQLite. */
export const stepAfter = (reason: string): string => {
  if (/ENOSPC|EDQUOT|No space left|quota|disk is full/i.test(reason))
    return "The disk is full. Free space there, then export again"
  if (/EFBIG|File too large/i.test(reason))
    return "Files that large cannot be written there. Raise the limit, or export to another file system"
  if (/EACCES|EPERM|EROFS|Permission denied|Read-?only|unable to open database/i.test(reason))
    return "Check the owner and permissions of the folder, or export to another one"
  return "See that the folder is there and can be written to, then export again; what was written stays"
}

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
