import { hostname } from "node:os"
import { Effect, Random, type Redacted } from "effect"
import { maxNameLength } from "../flags/clusterFlag.ts"
import { bucketOf } from "../flags/inHome.ts"
import { wrongUsage } from "../print/printAnswer.ts"

/** A fleet is of the same home, whether or not its address ends with a slash. */
export const fleetHome = (address: string): string => address.replace(/\/+$/, "")

/** Who this process is in the fleet of a home, which has to be in a bucket: many machines see nothing else. */
export const fleetMember = Effect.fnUntraced(function* (
  settings: Record<string, string>,
  postgres: Redacted.Redacted,
  name: string | null
) {
  const home = yield* bucketOf(settings)
  if (home === null)
    return yield* wrongUsage("A fleet works on a home in a bucket. Name it with --home s3://bucket/prefix")
  const own = (yield* Random.nextIntBetween(0, 0x1000000)).toString(16).padStart(6, "0")
  return { postgres, home: fleetHome(home), name: `${name ?? hostname().slice(0, maxNameLength)}-${own}` }
})
