import { Effect } from "effect"
import type { BucketFailed } from "../BucketFailed.ts"
import type { BucketStore } from "../BucketStore.ts"
import { fetchDocument, swapDocument } from "../bucketDocuments.ts"
import { documentKey, lakeKey } from "../bucketKeys.ts"
import { LakeDocument, type Ref } from "../documents.ts"
import { sharedFiles, storeRuns } from "../lakeInBucket.ts"
import { newAttempt } from "../newAttempt.ts"
import { LeavingKeys } from "../swapGame.ts"

const isDamaged = ({ damage }: BucketFailed) => damage !== undefined

/** Rebuilds missing or damaged lists of runs from the existing reports. Returns the keys of the replaced lists. */
export const mendRuns = Effect.fn("mendRuns")(function* (store: BucketStore, lake: LakeDocument) {
  const lost = yield* Effect.filter(Object.entries(lake.runs), ([, ref]) =>
    // A list that this release cannot read is intact, because a later release wrote it.
    store.fetchText(documentKey(null, "runs", ref), ref.sha256).pipe(
      Effect.as(false),
      Effect.catchIf(isDamaged, () => Effect.succeed(true))
    )
  )
  if (lost.length === 0) return []
  const lists = yield* Effect.forEach(lake.leaving, ({ list }) =>
    fetchDocument(store, { gameId: null, kind: "leaving", ref: list, schema: LeavingKeys })
  )
  const { reports } = yield* sharedFiles(store, new Set(lists.flatMap(({ keys }) => keys)))
  const attempt = yield* newAttempt
  const made: Record<string, Ref> = {}
  for (const [month] of lost) made[month] = yield* storeRuns(store, attempt, reports.get(month) ?? {})
  // A month that another runner has written in the meantime is intact.
  yield* swapDocument(store, lakeKey, LakeDocument, (there) => {
    const still = lost.filter(([month, { sha256 }]) => there?.runs[month]?.sha256 === sha256)
    if (there === null || still.length === 0) return Effect.succeed(null)
    const runs = Object.fromEntries(still.map(([month]) => [month, made[month] as Ref]))
    return Effect.succeed({ ...there, runs: { ...there.runs, ...runs } })
  })
  return lost.map(([, ref]) => documentKey(null, "runs", ref))
})
