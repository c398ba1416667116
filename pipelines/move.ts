import { resolve } from "node:path"
import { Effect, Layer } from "effect"
import { runMoveIn, runMoveOut } from "../src/night/cluster/copies/runPull.ts"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { grouped } from "../src/store/diff/formatAmount.ts"
import { openStore } from "../src/store/home/bucket/BucketStore.ts"
import { bucketAddressFault, isBucket } from "../src/store/home/bucket/homeAddress.ts"
import { collectionsIn } from "./print/collectionText.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { bucketServices, homeServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/copies.ts"

export const move = Effect.fnUntraced(function* ({ from, json, to, withCollection }: typeof specs.move.Input) {
  if (isBucket(from) === isBucket(to))
    return yield* wrongUsage(
      "move copies a home from a folder into a bucket, or back: one of the two must be s3://bucket/prefix"
    )
  const [bucket, folder] = isBucket(from) ? [from, to] : [to, from]
  const fault = bucketAddressFault(bucket)
  if (fault !== null) return yield* wrongUsage(fault)
  const settings = { CARDLAKE_HOME: resolve(folder) }
  const moving = Effect.gen(function* () {
    const store = yield* openStore(bucket)
    return yield* (isBucket(from) ? runMoveOut : runMoveIn)(store, withCollection)
  }).pipe(withServices(Layer.merge(homeServices(settings), bucketServices({}))))
  const done = yield* showWork({ what: "Copying", json })(moving)
  return yield* printAnswer(
    json,
    { from, to, ...done },
    ({ bytes, collections, files }) =>
      `${to} has the home of ${from}: ${grouped(files)} files, ${bytesText(bytes)}${withCollection ? ` and ${collectionsIn(collections)}` : ""}. ${from} is unchanged; from now on, write to only one of them`
  )
})
