import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { webClient } from "../../../src/feed/client/webClient.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { listen, quickPolicy, sendError, sendJson } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"

/** The requests that go to a marketplace with this base address, and how a refusal names one. */
const asking = Effect.fnUntraced(function* (base: string) {
  const { asked, settings } = yield* listen(({ path }, response) =>
    path.endsWith("/games")
      ? sendJson(response, { data: [{ id: "fable", name: "Fable" }] })
      : sendError(response, 400, "BAD_REQUEST")
  )
  const config = ConfigProvider.layer(
    ConfigProvider.fromUnknown({ ...settings, CARDLAKE_URL: `${settings.CARDLAKE_URL}${base}` })
  )
  const message = yield* Effect.gen(function* () {
    const marketplace = yield* Marketplace
    yield* marketplace.games
    return (yield* Effect.flip(marketplace.expansions("fable", 0))).message
  }).pipe(
    Effect.withSpan("night"),
    Effect.provideService(RetryPolicy, quickPolicy),
    Effect.provide(Marketplace.layer.pipe(Layer.provide(config)))
  )
  return { asked, message }
})

describe("the base address", () => {
  for (const [base, prefix] of [
    ["", ""],
    ["/v1", ""],
    ["/v1/", ""],
    ["/shop/v1", "/shop"],
    ["/shop/", "/shop"]
  ] as const) {
    live(`ending in "${base}" leads to ${prefix}/v1, and messages say so`, function* () {
      const { asked, message } = yield* asking(base)
      assert.deepStrictEqual(
        asked.map(({ path }) => path),
        [`${prefix}/v1/games`, `${prefix}/v1/games/fable/expansions`]
      )
      assert.include(message, ` GET ${prefix}/v1/games/fable/expansions?`)
    })
  }
})

describe("a service of someone else", () => {
  live("gets no trace headers, neither from the marketplace's client nor from any other", function* () {
    const { asked: marketplace } = yield* asking("")
    const { asked: rates, settings } = yield* listen((_, response) => sendJson(response, {}))
    yield* HttpClient.get(settings.CARDLAKE_URL).pipe(Effect.withSpan("fx"), Effect.provide(webClient(1024)))
    assert.strictEqual(marketplace.length + rates.length, 3)
    for (const { headers } of [...marketplace, ...rates]) {
      assert.notProperty(headers, "b3")
      assert.notProperty(headers, "traceparent")
    }
  })
})
