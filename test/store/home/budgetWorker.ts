import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { ConfigProvider, Effect, Layer } from "effect"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { bucketBudgets } from "../../../src/store/home/bucket/budget/bucketBudgets.ts"
import { BucketSettings } from "../../../src/store/home/bucket/openBucket.ts"
import { openStore } from "../../../src/store/home/bucket/BucketStore.ts"

/**
 * A worker that asks as much as its key allows, eight requests at once, until it is stopped. Arguments: the home's address,
 * how long a minute is, how far its clock is off, and for how long it asks.
 */
const [, , address = "", minute = "60000", off = "0", forMillis = "3600000"] = process.argv
const minuteMillis = Number(minute)
const realNow = Date.now
Date.now = () => realNow() + Number(off)

const asking = Effect.gen(function* () {
  const { granted } = yield* Marketplace
  const until = performance.now() + Number(forMillis)
  const ask = Effect.suspend(() => offsetPage("expansions", "emberfall", 0))
  let failed = ""
  const asked = ask.pipe(Effect.match({ onSuccess: () => {}, onFailure: (error) => void (failed = error.message) }))
  const askAll = Effect.whileLoop({ while: () => performance.now() < until, body: () => asked, step: () => {} })
  const all = Effect.all(
    Array.from({ length: 8 }, () => askAll),
    { concurrency: 8 }
  )
  const stopped = Effect.callback<void>((resume) => {
    process.once("SIGTERM", () => resume(Effect.void))
  })
  process.stdout.write("asking\n")
  yield* Effect.raceFirst(Effect.asVoid(all), stopped)
  process.stdout.write(`${JSON.stringify({ ...granted(), failed })}\n`)
})

const marketplace = Layer.unwrap(
  Effect.map(openStore(address), (store) => Marketplace.layerOf({ keyBudgets: bucketBudgets(store) }))
).pipe(Layer.provide(BucketSettings.layer))
await Effect.runPromise(
  asking.pipe(
    Effect.provide(marketplace),
    Effect.provideService(RetryPolicy, { ...RetryPolicy.defaultValue(), minuteMillis }),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv())
  )
)
process.exit(0)
