import type { Effect, Scope } from "effect"
import type { DestinationFailed } from "./DestinationFailed.ts"

/** Where a drop goes. Paths are below it, with slashes. */
export interface Destination {
  /** As a person wrote it. */
  readonly address: string
  /** The same in full, without a slash at its end. */
  readonly root: string
  /** Address of a file, as a manifest names it: a URL in a bucket, in a folder its own name. */
  readonly urlOf: (path: string) => string
  /** An empty local folder for files on their way, gone with the scope. */
  readonly stage: Effect.Effect<string, DestinationFailed, Scope.Scope>
  /** Puts a staged file in its place, whole: a reader sees the earlier one or this one. */
  readonly put: (path: string, staged: string) => Effect.Effect<void, DestinationFailed>
  /** The same for a short text. */
  readonly write: (path: string, text: string) => Effect.Effect<void, DestinationFailed>
  /** The same where nothing is; false = something is there already. Of two at the same moment one gets there. */
  readonly create: (path: string, text: string) => Effect.Effect<boolean, DestinationFailed>
  /** Takes a file away; one that is not there is gone. */
  readonly remove: (path: string) => Effect.Effect<void, DestinationFailed>
  /** A short text; null where nothing is. */
  readonly read: (path: string) => Effect.Effect<string | null, DestinationFailed>
  /** A file as a local one, in `stage` where it has to be fetched; null where nothing is. */
  readonly fetch: (path: string, stage: string) => Effect.Effect<string | null, DestinationFailed>
}
