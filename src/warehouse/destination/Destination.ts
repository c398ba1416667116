import { type Effect, type Scope, Schema } from "effect"
import { LakeError } from "../../feed/reading/LakeError.ts"

/** An operation on a drop's folder or bucket failed. What was there before is untouched. */
export class DestinationFailed extends Schema.TaggedError<DestinationFailed>()("DestinationFailed", {
  step: Schema.String,
  /** Shown to people, so without secrets. */
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}

/** Where a drop goes. Paths are below it, with slashes. */
export interface Destination {
  /** As the user wrote it. */
  readonly address: string
  /** The same in full, without a slash at the end. */
  readonly root: string
  /** Address of a file, as a manifest names it: a URL in a bucket, or its name in a folder. */
  readonly urlOf: (path: string) => string
  /** An empty local folder for files to be written, removed with the scope. */
  readonly stage: Effect.Effect<string, DestinationFailed, Scope.Scope>
  /** Puts a staged file in place in one step: a reader sees the earlier one or this one. */
  readonly put: (path: string, staged: string) => Effect.Effect<void, DestinationFailed>
  /** The same for a short text. */
  readonly write: (path: string, text: string) => Effect.Effect<void, DestinationFailed>
  /** The same, but only if nothing is there; false = something is. Of two at the same moment, one succeeds. */
  readonly create: (path: string, text: string) => Effect.Effect<boolean, DestinationFailed>
  /** Removes a file, and the folders that are empty then; a missing one is fine. */
  readonly remove: (path: string) => Effect.Effect<void, DestinationFailed>
  /** A short text; null if nothing is there. */
  readonly read: (path: string) => Effect.Effect<string | null, DestinationFailed>
  /** Names of the folders directly in one; none if it is not there. */
  readonly folders: (path: string) => Effect.Effect<ReadonlyArray<string>, DestinationFailed>
  /** Paths of all files below a folder, `""` = the root; those of empty folders end with a slash. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<string>, DestinationFailed>
  /** A file as a local one, in `stage` if it has to be fetched; null if nothing is there. */
  readonly fetch: (path: string, stage: string) => Effect.Effect<string | null, DestinationFailed>
}

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
