import { Effect, Schema } from "effect"
import { BucketFailed } from "../../../store/home/bucket/BucketFailed.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import type { ReportRef } from "../../../store/home/bucket/documents.ts"
import { keyOfKnown, storedParts } from "../../../store/home/bucket/hollowFiles.ts"
import { RunReport } from "../../observe/RunReport.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(RunReport))

/** The report of a run, as it lies in a bucket. */
export const reportInBucket = Effect.fnUntraced(function* (store: BucketStore, { file, run }: ReportRef) {
  const path = keyOfKnown({ gameId: null, folder: "", name: `runs/${run}.json`, ...storedParts({ attempt: "" }, file) })
  return yield* decode(yield* store.fetchText(path, file[0])).pipe(
    Effect.mapError(
      () =>
        new BucketFailed({
          step: `Read ${store.urlOf(path)}`,
          reason: "it is no report that this release knows",
          next: "Update Cardlake"
        })
    )
  )
})
