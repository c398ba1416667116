import { type Effect, type Scope, Schema } from "effect"
import { LakeError } from "../../feed/reading/LakeError.ts"

/** An operation on an export's folder or bucket failed. The existing files are unchanged. */
export class DestinationFailed extends Schema.TaggedError<DestinationFailed>()("DestinationFailed", {
  step: Schema.String,
  /** The cause without secrets, because it is shown to people. */
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}

/** The target of an export: a folder or bucket. All paths are relative to it, with slashes. */
export interface Destination {
  /** The address as the user wrote it. */
  readonly address: string
  /** The absolute address without a trailing slash. */
  readonly root: string
  /** Returns the address of a file for a manifest: a URL in a bucket, or a name in a folder. */
  readonly urlOf: (path: string) => string
  /** An empty local folder for files to write, removed with the scope. */
  readonly stage: Effect.Effect<string, DestinationFailed, Scope.Scope>
  /** Moves a staged file to its path atomically: a reader sees the earlier file or this one. */
  readonly put: (path: string, staged: string) => Effect.Effect<void, DestinationFailed>
  /** Writes a short text atomically. */
  readonly write: (path: string, text: string) => Effect.Effect<void, DestinationFailed>
  /** Writes a short text only if the path is free; false = it is not. Of two concurrent calls, one succeeds. */
  readonly create: (path: string, text: string) => Effect.Effect<boolean, DestinationFailed>
  /** Removes a file and the folders that become empty; a missing file is no error. */
  readonly remove: (path: string) => Effect.Effect<void, DestinationFailed>
  /** Reads a short text; null if the file is missing. */
  readonly read: (path: string) => Effect.Effect<string | null, DestinationFailed>
  /** Returns the names of the folders directly in a folder; none if it is missing. */
  readonly folders: (path: string) => Effect.Effect<ReadonlyArray<string>, DestinationFailed>
  /** Returns all files below a folder, `""` = the root, and empty folders with a trailing slash. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<string>, DestinationFailed>
  /** Returns a local copy of a file, downloaded to `stage` if necessary; null if it is missing. */
  readonly fetch: (path: string, stage: string) => Effect.Effect<string | null, DestinationFailed>
}

/** Returns the next step after a failed write, from the error text of the system, DuckDB or SQLite. */
export const stepAfter = (reason: string): string => {
  if (/ENOSPC|EDQUOT|No space left|quota|disk is full/i.test(reason))
    return "The disk is full. Free space, then export again"
  if (/EFBIG|File too large/i.test(reason))
    return "The file exceeds the maximum file size. Raise the process's limit (ulimit -f), or export to another file system"
  if (/EACCES|EPERM|EROFS|Permission denied|Read-?only|unable to open database/i.test(reason))
    return "Check the owner and permissions of the folder, or export to another one"
  return "Check that the folder exists and is writable, then export again. Written files are kept"
}

/** Maps an error of a file in the destination or the stage, which is no error of the home. */
export const ofDestination =
  ({ root }: Destination, stage: string) =>
  <E>(error: E): E | DestinationFailed => {
    if (!(error instanceof LakeError)) return error
    const [reason = ""] = String(error.cause instanceof Error ? error.cause.message : error.cause).split("\n")
    // The error of a full disk may lack the file's name; the step has it.
    const shown = `${error.step} ${reason}`
    if (!shown.includes(stage) && !shown.includes(`${root}/`)) return error
    return new DestinationFailed({ step: error.step, reason, next: stepAfter(reason) })
  }
