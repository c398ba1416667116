import { Effect } from "effect"
import { BucketFailed } from "../../src/home/bucket/BucketFailed.ts"
import { nightWarning } from "../../src/observe/nightEvent.ts"
import { isAway, tryStore } from "./tryStore.ts"

const answersWithin = "10 seconds"

/** Workers may be let in where this machine is not. */
const ownRights = /CredentialsProviderError|no region is set|AccessDenied|Forbidden|AllAccessDisabled/

const isOwn = (error: unknown): boolean =>
  isAway(error) || (error instanceof BucketFailed && ownRights.test(error.reason))

/**
 * Where no worker is there to say it: fails if the store has no such bucket, refuses the key or breaks its word. What
 * may be wrong on this machine alone is a warning.
 */
export const storeForWorkers = (settings: Record<string, string>) =>
  tryStore(settings).pipe(
    Effect.timeoutOption(answersWithin),
    Effect.asVoid,
    Effect.catchIf(isOwn, (error) =>
      nightWarning("store", `${error.message}. Workers may be let in where this machine is not`)
    )
  )
