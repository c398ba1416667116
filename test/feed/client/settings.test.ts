import { assert, describe } from "@effect/vitest"
import { Cause, ConfigProvider, Effect, Exit, Layer } from "effect"
import { inspect } from "node:util"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { StrangeServer, against, listen, quickPolicy, sendError, sendJson, strangeKey } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"
import { HttpClient } from "effect/http"
import { webClient } from "../../../src/feed/client/webClient.ts"

const games = Effect.flatMap(Marketplace, (marketplace) => marketplace.games)

const shown = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isFailure(exit)
    ? [Cause.pretty(exit.cause), inspect(exit, { depth: 20, showHidden: true }), JSON.stringify(exit)].join("\n")
    : "no failure"

const withSettings = (settings: Record<string, string>) =>
  Effect.provide([
    Layer.provide(Marketplace.layer, ConfigProvider.layer(ConfigProvider.fromUnknown(settings))),
    Layer.succeed(RetryPolicy, quickPolicy)
  ])

describe("the key", () => {
  live("goes with every request", () =>
    Effect.gen(function* () {
      yield* games
      assert.strictEqual((yield* StrangeServer).asked[0]?.headers["authorization"], `Bearer ${strangeKey}`)
    }).pipe(against((_, response) => sendJson(response, { data: [] })))
  )

  for (const [what, status] of [
    ["401", 401],
    ["400", 400],
    ["503", 503]
  ] as const) {
    live(`is in no error of a ${what}, even when the server repeats it`, () =>
      Effect.gen(function* () {
        const text = shown(yield* Effect.exit(games))
        assert.notInclude(text, strangeKey)
        assert.include(text, "GET /v1/games")
      }).pipe(
        against((_, response) =>
          sendError(response, status, `KEY_${strangeKey}`, { key: strangeKey }, { "x-request-id": strangeKey })
        )
      )
    )
  }

  live("is in no error of a lost connection", () =>
    Effect.gen(function* () {
      const text = shown(yield* Effect.exit(games))
      assert.notInclude(text, strangeKey)
      assert.include(text, "Unreachable")
    }).pipe(against((_, response) => response.destroy()))
  )
})

describe("a setting that cannot be used ends in one clear sentence", () => {
  const url = "http://127.0.0.1:1"
  const cases = [
    {
      what: "no URL",
      settings: { CARDLAKE_API_KEY: "k" },
      says: /^CARDLAKE_URL is missing or malformed.*cardlake doctor$/
    },
    { what: "a URL of another kind", settings: { CARDLAKE_URL: "ftp://x", CARDLAKE_API_KEY: "k" }, says: /http:\/\// },
    {
      what: "a URL with a password",
      settings: { CARDLAKE_URL: "http://user:secret@127.0.0.1:1", CARDLAKE_API_KEY: "k" },
      says: /^CARDLAKE_URL contains a user or a password, which is never sent\. Set it/
    },
    {
      what: "a URL with a query",
      settings: { CARDLAKE_URL: `${url}/?key=secret`, CARDLAKE_API_KEY: "k" },
      says: /^CARDLAKE_URL has a query or a fragment/
    },
    {
      what: "a proxy with a broken password",
      settings: { CARDLAKE_URL: url, CARDLAKE_API_KEY: "k", HTTP_PROXY: "http://user:secret%@127.0.0.1:1" },
      says: /^HTTP_PROXY .* Set it in the environment, then check with: cardlake doctor$/
    },
    {
      what: "a range of addresses that is none",
      settings: { CARDLAKE_URL: url, CARDLAKE_API_KEY: "k", HTTP_PROXY: "127.0.0.1:9", NO_PROXY: "10.0.0.0/33" },
      says: /^NO_PROXY has an entry that is neither a host nor an address range\..* Set it in the environment,/
    },
    {
      what: "a proxy of another kind",
      settings: { CARDLAKE_URL: url, CARDLAKE_API_KEY: "k", HTTPS_PROXY: "socks5://user:secret@127.0.0.1:1" },
      says: /^HTTPS_PROXY is not an address that begins with http.* Set it in the environment, then check with: cardlake doctor$/
    },
    { what: "no key", settings: { CARDLAKE_URL: url }, says: /^CARDLAKE_API_KEY is missing/ },
    {
      what: "a key with a line break",
      settings: { CARDLAKE_URL: url, CARDLAKE_API_KEY: "secret\nb" },
      says: /^CARDLAKE_API_KEY is empty or/
    }
  ]
  for (const { says, settings, what } of cases) {
    live(what, function* () {
      const exit = yield* Effect.exit(games.pipe(withSettings(settings)))
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.match(error instanceof Error ? error.message : "", says)
      assert.notInclude(shown(exit), "secret")
    })
  }

  live("the error for a server that is down names its address and the next step", function* () {
    const exit = yield* Effect.exit(games.pipe(withSettings({ CARDLAKE_URL: url, CARDLAKE_API_KEY: "k" })))
    assert.match(
      shown(exit),
      /No answer from http:\/\/127.0.0.1:1 to GET \/v1\/games after 5 attempts .*ECONNREFUSED.*\. Check CARDLAKE_URL and the network with: cardlake doctor/
    )
  })
})

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
    yield* games
    return (yield* Effect.flip(offsetPage("expansions", "fable", 0))).message
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
