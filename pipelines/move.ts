import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Command from "effect/cli/Command"
import { resolve } from "node:path"
import { grouped } from "../src/store/diff/amountOf.ts"
import { bucketAddressFault } from "../src/store/home/bucket/address/bucketAddressFault.ts"
import { isBucket } from "../src/store/home/bucket/isBucket.ts"
import { destinationFlag, json, withCollection } from "./flags/sharedFlags.ts"
import { collectionsIn } from "./print/collectionText.ts"
import { printAnswer, wrongUsage } from "./print/printAnswer.ts"
import { showWork, warnings } from "./print/standardError.ts"
import { megabytes } from "../src/night/observe/figureTexts.ts"

const from = destinationFlag("from", "The home: a folder, or s3://bucket/prefix")
const to = destinationFlag(
  "to",
  "Where nothing is yet: s3://bucket/prefix for a folder's home, a folder for a bucket's"
)

/** Copies a whole home from a folder into a bucket, or back. */
export const move = Command.make(
  "move",
  { from, to, withCollection, json },
  Effect.fnUntraced(function* ({ from, json, to, withCollection }) {
    if (isBucket(from) === isBucket(to))
      return yield* wrongUsage(
        "move copies a home from a folder into a bucket, or back: one of both is s3://bucket/prefix"
      )
    const [bucket, folder] = isBucket(from) ? [from, to] : [to, from]
    const fault = bucketAddressFault(bucket)
    if (fault !== null) return yield* wrongUsage(fault)
    const { bucketServices, homeServices } = yield* Effect.promise(() => import("./settings/services.ts"))
    const { openStore } = yield* Effect.promise(() => import("../src/store/home/bucket/BucketStore.ts"))
    const { runMoveIn, runMoveOut } = yield* Effect.promise(() => import("../src/night/cluster/copies/runMove.ts"))
    const settings = { CARDLAKE_HOME: resolve(folder) }
    const services = yield* Layer.build(Layer.merge(homeServices(settings), bucketServices({})))
    const moving = Effect.gen(function* () {
      const store = yield* openStore(bucket)
      return yield* (isBucket(from) ? runMoveOut : runMoveIn)(store, withCollection)
    })
    const done = yield* showWork({ what: "Copying", json })(Effect.provideContext(moving, services))
    return yield* printAnswer(
      json,
      { from, to, ...done },
      ({ bytes, collections, files }) =>
        `${to} has the home of ${from}: ${grouped(files)} files, ${megabytes(bytes)} MB${withCollection ? ` and ${collectionsIn(collections)}` : ""}. ${from} is as it was; from now on, write to one of them alone`
    )
  }, Effect.scoped)
).pipe(
  Command.provide(warnings),
  Command.withDescription("Copy a home from a folder into a bucket, or back; what it was copied from stays"),
  Command.withExamples([
    { command: "cardlake move --from /srv/lake --to s3://lakes/cards", description: "From one machine to many" },
    { command: "cardlake move --from s3://lakes/cards --to /srv/lake", description: "And back" }
  ])
)
