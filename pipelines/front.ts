import { Effect } from "effect"
import { publishFront } from "../src/store/lake/front/publishFront.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { findBucket, publishFrontIn } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { lakeServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/copies.ts"

/** Writes a front: with the files that it names into a folder, or into the bucket of the home, which has them. */
export const publish = Effect.fnUntraced(function* ({
  json,
  publicUrl,
  to,
  ...flags
}: typeof specs.publishFront.Input) {
  const settings = toSettings(flags)
  const address = yield* findBucket(settings)
  if (address === null && to === null)
    return yield* wrongUsage("Name the folder of a web server: cardlake front publish DIR")
  if (address !== null && to !== null)
    return yield* wrongUsage(
      "The front of a home in a bucket is in the bucket: leave out DIR. A copy publishes into a folder: cardlake pull"
    )
  yield* printAnswer(
    json,
    yield* address === null
      ? withServices(lakeServices(settings))(publishFront(to ?? "", publicUrl))
      : publishFrontIn(settings, address, publicUrl),
    ({ base, commit, copied, files, folder, removed, sizeBytes }) =>
      `${folder}: the front of ${commit} (${formatAmount(Math.ceil(sizeBytes / 1024), "kB", "kB")}) names ${formatAmount(files, "file")}, ${copied} of them new; ${removed} removed\nAttach it: attach '${base}/front.duckdb' as cards (read_only); use cards`
  )
})
