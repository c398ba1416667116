import { Effect, type Scope } from "effect"
import type { BucketSettings } from "../../store/home/bucket/openBucket.ts"
import { type Destination, DestinationFailed } from "./Destination.ts"
import { destinationFault } from "./destinationFault.ts"
import { folderDestination } from "./folderDestination.ts"
import { isBucket } from "../../store/home/bucket/homeAddress.ts"

/** Opens the folder or bucket at an address. The S3 client is loaded only if needed. */
export const openDestination = (
  address: string
): Effect.Effect<Destination, DestinationFailed, BucketSettings | Scope.Scope> => {
  if (!isBucket(address)) return Effect.succeed(folderDestination(address))
  const reason = destinationFault(address)
  if (reason !== null) {
    const next = "Pass it as s3://bucket/prefix"
    return Effect.fail(new DestinationFailed({ step: "Open the bucket", reason, next }))
  }
  return Effect.flatMap(
    Effect.promise(() => import("./bucketDestination.ts")),
    ({ bucketDestination }) => bucketDestination(address)
  )
}
