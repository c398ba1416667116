import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Observed } from "../../pipelines/nightEvent.ts"
import { nightLog } from "../../pipelines/nightLog.ts"
import { watchedMarketplace } from "../../pipelines/watchMarketplace.ts"
import { Marketplace } from "../../src/client/Marketplace.ts"
import { serveSandbox } from "../../src/sandbox/serveSandbox.ts"
import { sampleFolder } from "../sandbox/Served.ts"

describe("a marketplace that limits us", () => {
  it.live("is logged: the request that was refused, and the ones that waited for it", () =>
    Effect.gen(function* () {
      const { key, url } = yield* serveSandbox({
        catalogue: sampleFolder,
        faults: { rules: [{ kind: "rate-limited", endpoint: "products", retryAfter: 2, at: [1] }] }
      })
      const lines: Array<string> = []
      const layer = watchedMarketplace.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_URL: url, CARDLAKE_API_KEY: key }))),
        Layer.provideMerge(nightLog("json", (line) => lines.push(line)))
      )
      yield* Effect.gen(function* () {
        const marketplace = yield* Marketplace
        const later = Effect.andThen(Effect.sleep("500 millis"), marketplace.expansions("tidewrack", 0))
        yield* Effect.all([marketplace.products("emberfall", 0), later], { concurrency: 2 })
      }).pipe(Effect.provide(layer), Effect.provideService(Observed, true))

      const events = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      const of = (event: string) => events.filter((line) => line["event"] === event)
      assert.strictEqual(events.length, 2)
      assert.deepInclude(of("retry")[0], { game: "emberfall", list: "products", attempt: 2, after: "429" })
      assert.isAtLeast(Number(of("retry")[0]?.["waited"]), 1.9)
      assert.deepInclude(of("wait")[0], { game: "tidewrack", list: "expansions" })
      assert.isAtLeast(Number(of("wait")[0]?.["waited"]), 1)
    })
  )
})
