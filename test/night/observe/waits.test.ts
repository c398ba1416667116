import { Observation } from "../../../src/night/observe/Observation.ts"
import { assert, describe } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { makeTellWait, watchedMarketplace } from "../../../src/night/observe/watchMarketplace.ts"
import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { serveSandbox } from "../../../src/market/serveSandbox.ts"
import { sampleFolder } from "../../market/Served.ts"
import { effect, live } from "../../support/suite.ts"

describe("a marketplace that limits us", () => {
  live("is logged when a wait begins, for the refused request and for another one that has to wait", function* () {
    const { key, url } = yield* serveSandbox({
      catalogue: sampleFolder,
      faults: { rules: [{ kind: "rate-limited", endpoint: "products", retryAfter: 2, at: [1] }] }
    })
    const lines: Array<string> = []
    const layer = watchedMarketplace().pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_URL: url, CARDLAKE_API_KEY: key }))),
      Layer.provideMerge(nightLog("json", (line) => lines.push(line)))
    )
    yield* Effect.gen(function* () {
      const later = Effect.andThen(Effect.sleep("500 millis"), offsetPage("expansions", "tidewrack", 0))
      yield* Effect.all([offsetPage("products", "emberfall", 0), later], { concurrency: 2 })
    }).pipe(
      Effect.provide(layer),
      Effect.updateService(Observation, (one) => ({ ...one, hasEvents: true }))
    )

    const events = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    assert.deepStrictEqual(
      events.map(({ event, game, list }) => `${event} ${game} ${list}`),
      ["wait emberfall products", "wait tidewrack expansions", "retry emberfall products"]
    )
    const [refused, held, retry] = events
    assert.deepInclude(refused, { why: "429", level: "info" })
    assert.deepInclude(held, { why: "rate limit" })
    assert.deepInclude(retry, { attempt: 2, after: "429" })
    const secondsAt = (event: typeof refused) =>
      (Date.parse(String(event?.["until"])) - Date.parse(String(event?.["time"]))) / 1000
    assert.approximately(Number(refused?.["seconds"]), 2, 0.1)
    assert.approximately(secondsAt(refused), 2, 0.2)
    assert.approximately(secondsAt(held), Number(held?.["seconds"]), 0.1)
    assert.isAtLeast(Number(retry?.["waited"]), 1.9)
  })

  effect("is told to people when a wait is long, once per game while it lasts", function* () {
    const said: Array<string> = []
    const tellWait = makeTellWait()
    const begin = (game: string, seconds: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        tellWait({ game, list: "products" }, { millis: seconds * 1000, untilMillis: now + seconds * 1000, why: "429" })
      )
    yield* Effect.gen(function* () {
      yield* begin("emberfall", 3)
      yield* begin("emberfall", 60)
      yield* begin("emberfall", 61)
      yield* begin("tidewrack", 30)
      yield* TestClock.adjust("62 seconds")
      yield* begin("emberfall", 90)
    }).pipe(
      Effect.provide(nightLog("text", (line) => said.push(line))),
      Effect.updateService(Observation, (one) => ({ ...one, hasEvents: true }))
    )
    assert.deepStrictEqual(said, [
      "cardlake: emberfall waits 60 s for its products, until 1970-01-01T00:01:00.000Z (429)\n",
      "cardlake: tidewrack waits 30 s for its products, until 1970-01-01T00:00:30.000Z (429)\n",
      "cardlake: emberfall waits 90 s for its products, until 1970-01-01T00:02:32.000Z (429)\n"
    ])
  })
})
