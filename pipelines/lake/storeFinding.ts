import { Clock, Effect, Layer } from "effect"
import { amountOf, grouped } from "../../src/store/diff/amountOf.ts"
import { type BucketState, examineBucket } from "../../src/store/home/bucket/repair/examineBucket.ts"
import { ageText, megabytes } from "../../src/night/observe/figureTexts.ts"
import { publishedGames } from "../../src/night/observe/publishedGames.ts"
import { bucketServices } from "../settings/services.ts"
import type { Finding } from "./Finding.ts"

/** Whether the store does what a home needs, and whose work lies there unfinished. */
export const storeFinding = (flags: Record<string, string>, address: string) =>
  Effect.flatMap(Layer.build(bucketServices(flags)), (services) =>
    Effect.provideContext(examineBucket(address), services)
  ).pipe(
    Effect.map((bucket) => ({
      says: storeText(address, bucket),
      bucket,
      // Before the first night nothing is wrong; later, the address is.
      ...(bucket.hasHome ? {} : { isDoubt: true as const })
    }))
  )

/** Objects that a document names, and that are not there as it says; a bucket in which all are has no finding. */
export const objectFindings = ({ damaged }: BucketState): ReadonlyArray<Finding> =>
  damaged.map(({ next, object, what }) => ({
    name: "objects",
    ok: false,
    says: `${object} is damaged: ${what}. ${next}`
  }))

const storeText = (
  address: string,
  { atWork, attempts, bytes, damaged, hasHome, objects, old }: BucketState
): string => {
  const kept = `The store of ${address} lets no writer overwrite another's work, as was tried just now`
  if (!hasHome)
    return `${kept}. There is no home yet: if there should be one, check the address (CARDLAKE_HOME or --home); else the first night begins it`
  if (objects === 0) return damaged.length > 0 ? kept : `${kept}; nothing is left over`
  const size = `${amountOf(objects, "object")} of ${amountOf(attempts, "attempt")}, ${megabytes(bytes)} MB`
  const work = atWork === 0 ? "nobody is at work" : `${grouped(atWork)} wrote within the last hour and may be at work`
  const next = old === 0 ? "" : `; the next cardlake prune lists what is older than a week`
  return `${kept}. No document names ${size}: ${work}${next}`
}

/** When each game was read last. */
export const readingsText = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const games = yield* publishedGames
  if (games.length === 0) return "No night has been published yet; make the first with: cardlake nightly"
  const ages = games
    .toSorted((a, b) => a.readMillis - b.readMillis)
    .map(({ gameId, readMillis }) => `${gameId} ${ageText(now - readMillis)} ago`)
  return `Read last: ${ages.join(", ")}`
})
