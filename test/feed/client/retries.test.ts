import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { against, sendError, sendJson, StrangeServer } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"

const games = Effect.flatMap(Marketplace, (marketplace) => marketplace.games)
const requests = Effect.map(StrangeServer, ({ asked }) => asked.length)
const list = { data: [] }

describe("what tends to pass is tried again", () => {
  for (const status of [408, 409, 500, 502, 503, 504]) {
    live(`${status}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* games).data, [])
        assert.strictEqual(yield* requests, 3)
      }).pipe(
        against(({ count }, response) => (count < 2 ? sendError(response, status, "X") : sendJson(response, list)))
      )
    )
  }

  live("a connection that is cut", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* games).data, [])
    }).pipe(against(({ count }, response) => (count < 2 ? response.destroy() : sendJson(response, list))))
  )

  live("an answer that does not come within the time-out", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* games).data, [])
      assert.strictEqual(yield* requests, 2)
    }).pipe(
      against(({ count }, response) => (count === 0 ? undefined : sendJson(response, list)), { timeoutMillis: 400 })
    )
  )

  live("a body that stops half-way", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* games).data, [])
    }).pipe(
      against(
        ({ count }, response) => {
          if (count > 0) return sendJson(response, list)
          response.writeHead(200, { "content-length": "1000" })
          response.write('{"data":[')
        },
        { timeoutMillis: 400 }
      )
    )
  )

  live("at most four times, then the error says how often", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(games)
      assert.strictEqual(error._tag, "ServiceFailed")
      assert.match(error.message, /GET \/v1\/games .*request id r-1.* 503 X after 5 attempts/)
      assert.strictEqual(yield* requests, 5)
    }).pipe(against((_, response) => sendError(response, 503, "X", {}, { "x-request-id": "r-1" })))
  )

  live("a 500 is final when x-should-retry says false", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(games))._tag, "ServiceFailed")
      assert.strictEqual(yield* requests, 1)
    }).pipe(
      against((_, response) => sendError(response, 500, "X", {}, { "x-should-retry": "false" }), {
        timeoutMillis: 30_000
      })
    )
  )

  live("a 418 is tried again when x-should-retry says true", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* games).data, [])
    }).pipe(
      against(({ count }, response) =>
        count === 0 ? sendError(response, 418, "X", {}, { "x-should-retry": "true" }) : sendJson(response, list)
      )
    )
  )

  live("retry-after-ms is waited out", () =>
    Effect.gen(function* () {
      const start = performance.now()
      yield* games
      assert.isAtLeast(performance.now() - start, 60)
    }).pipe(
      against(({ count }, response) =>
        count === 0 ? sendError(response, 503, "X", {}, { "retry-after-ms": "60" }) : sendJson(response, list)
      )
    )
  )

  live("a 503 that asks for more than a minute fails at once", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(games))._tag, "ServiceFailed")
      assert.strictEqual(yield* requests, 1)
    }).pipe(against((_, response) => sendError(response, 503, "X", {}, { "retry-after": "61" })))
  )
})

describe("what no repetition changes is asked once", () => {
  const cases = [
    {
      status: 500,
      code: "GAME_NOT_FOUND",
      tag: "NotFound",
      data: { gameId: "fable" },
      says: /know a game "fable".*cardlake doctor$/
    },
    { status: 500, code: "FEED_NOT_GENERATED", tag: "NotFound", data: {}, says: /FEED_NOT_GENERATED/ },
    { status: 404, code: "NOT_FOUND", tag: "NotFound", data: {}, says: /nothing for GET/ },
    {
      status: 401,
      code: "UNAUTHORIZED",
      tag: "KeyRefused",
      data: {},
      says: /refused the API key.*CARDLAKE_API_KEY with: cardlake doctor$/
    },
    {
      status: 403,
      code: "FORBIDDEN",
      tag: "AccessForbidden",
      data: { required: ["a:read"], granted: ["b:read", "c:read"] },
      says: /needs a:read but has b:read, c:read/
    },
    { status: 403, code: "API_ACCESS_DISABLED", tag: "AccessForbidden", data: {}, says: /API_ACCESS_DISABLED/ },
    {
      status: 400,
      code: "BAD_REQUEST",
      tag: "RequestRefused",
      data: {},
      says: /400 BAD_REQUEST: because of BAD_REQUEST/
    }
  ]
  for (const { code, data, says, status, tag } of cases) {
    live(`${status} ${code} is ${tag}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(games)
        assert.strictEqual(error._tag, tag)
        assert.match(error.message, says)
        assert.strictEqual(yield* requests, 1)
      }).pipe(against((_, response) => sendError(response, status, code, data), { timeoutMillis: 30_000 }))
    )
  }
})

describe("a rate limit", () => {
  const limited = { bucket: "catalogue-search", limit: 60, retryAfter: 0.05 }

  live("is waited out, and does not use up the attempts", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* games).data, [])
      assert.strictEqual(yield* requests, 7)
    }).pipe(
      against(({ count }, response) =>
        count < 6
          ? sendError(response, 429, "TOO_MANY_REQUESTS", { ...limited, retryAfter: 0.001 })
          : sendJson(response, list)
      )
    )
  )

  live("holds back every other request too", () =>
    Effect.gen(function* () {
      const start = performance.now()
      const others = Effect.delay(
        Effect.map(games, () => performance.now() - start),
        20
      )
      const [, waited] = yield* Effect.all([games, others], { concurrency: 2 })
      assert.isAtLeast(waited, 50)
    }).pipe(
      against(({ count }, response) =>
        count === 0 ? sendError(response, 429, "TOO_MANY_REQUESTS", limited) : sendJson(response, list)
      )
    )
  )

  live("that never ends is an error with bucket and limit", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(games)
      assert.strictEqual(error._tag, "RateLimited")
      assert.match(error.message, /bucket catalogue-search, limit 60/)
      assert.isBelow(yield* requests, 12)
    }).pipe(against((_, response) => sendError(response, 429, "TOO_MANY_REQUESTS", limited), { timeoutMillis: 5000 }))
  )

  live("without Retry-After is retried with growing waits, and ends as an error too", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(games))._tag, "RateLimited")
      assert.strictEqual(yield* requests, 11)
    }).pipe(against((_, response) => response.writeHead(429).end(), { timeoutMillis: 5000 }))
  )

  live("is learned from the headers", () =>
    Effect.gen(function* () {
      yield* games
      const { rateLimit } = yield* Marketplace
      assert.deepStrictEqual(rateLimit(), { bucket: "global", limit: 60, remaining: 12 })
    }).pipe(
      against((_, response) =>
        sendJson(response, list, 200, { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "12" })
      )
    )
  )
})
