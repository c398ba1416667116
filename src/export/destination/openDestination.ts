import { Effect, type Scope } from "effect"
import type { BucketSettings } from "./BucketSettings.ts"
import type { Destination } from "./Destination.ts"
import type { DestinationFailed } from "./DestinationFailed.ts"
import { folderDestination } from "./folderDestination.ts"
import { isBucket } from "./isBucket.ts"

/** The folder or bucket that an address names. The client for buckets is loaded only if needed. */
export const openDestination = (
  address: string
): Effect.Effect<Destination, DestinationFailed, BucketSettings | Scope.Scope> =>
  isBucket(address)
    ? Effect.flatMap(
        Effect.promise(() => import("./bucketDestination.ts")),
        ({ bucketDestination }) => bucketDestination(address)
      )
    : Effect.succeed(folderDestination(address))
