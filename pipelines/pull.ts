import { Effect, Layer } from "effect"
import { type PulledLake, runPull } from "../src/night/cluster/copies/runPull.ts"
import { bytesText } from "../src/night/observe/figureTexts.ts"
import { formatAmount } from "../src/store/diff/formatAmount.ts"
import { openStore } from "../src/store/home/bucket/BucketStore.ts"
import { namesFolder } from "../src/store/home/bucket/homeAddress.ts"
import { findBucket } from "./flags/inHome.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { collectionsIn } from "./print/collectionText.ts"
import { printAnswer, printFault, Stopped, wrongUsage } from "./print/printAnswer.ts"
import { showWork } from "./print/standardError.ts"
import { bucketServices, homeServices, withServices } from "./settings/services.ts"
import type * as specs from "./specs/copies.ts"

export const pull = Effect.fnUntraced(function* (input: typeof specs.pull.Input) {
  const { every, games, json, to, watch, withCollection, ...flags } = input
  const settings = toSettings(flags)
  const address = yield* findBucket(settings)
  if (!namesFolder(to))
    return yield* wrongUsage("pull copies a home from a bucket (--home s3://bucket/prefix) into a folder (--to DIR)")
  if (address === null) return yield* wrongUsage("pull needs a home in a bucket: --home s3://bucket/prefix")
  const once = Effect.flatMap(openStore(address), (store) => runPull(store, games, withCollection)).pipe(
    withServices(Layer.merge(homeServices({ CARDLAKE_HOME: to }), bucketServices(settings))),
    Effect.scoped
  )
  const first = yield* showWork({ what: "Fetching", json })(once)
  yield* printAnswer(
    json,
    first,
    (pulled) => `${pulledText(pulled)}${withCollection ? `. With it: ${collectionsIn(pulled.collections)}` : ""}`
  )
  for (const { reason } of first.lost) yield* printFault(reason)
  if (!watch && first.lost.length > 0) return yield* new Stopped({ code: 4 })
  if (!watch) return
  const again = Effect.gen(function* () {
    yield* Effect.sleep(every)
    const next = yield* Effect.result(once)
    // An unreachable store is retried in the next round.
    if (next._tag === "Failure") yield* printFault(next.failure.message)
    else if (next.success.isNew) yield* printAnswer(json, next.success, pulledText)
  })
  return yield* Effect.forever(again)
})

const pulledText = ({ bytes, fetched, from, games, home, isNew, seconds }: PulledLake): string =>
  isNew
    ? `${home} has ${formatAmount(games.length, "game")} of ${from}: ${formatAmount(fetched, "new file")}, ${bytesText(bytes)}, in ${seconds.toFixed(1)} s`
    : `${home} is up to date with ${from}`
