import { assert, describe } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { CallContext, type Wait } from "../../../src/feed/client/CallContext.ts"
import { against, sendError, sendJson, StrangeServer } from "./StrangeServer.ts"
import { live } from "../../support/suite.ts"

const page = { data: [], pagination: { offset: 0, limit: 200, total: 0, hasMore: false } }
const gameOf = (body: string): string => /"game":"(\w+)"/.exec(body)?.[1] ?? ""
const products = (game: string) =>
  Effect.suspend(() => {
    const start = performance.now()
    return offsetPage("products", game, 0).pipe(
      Effect.isSuccess,
      Effect.map((read) => ({ read, millis: performance.now() - start }))
    )
  })
const ends = (game: string) => Effect.flip(offsetPage("products", game, 0))

const hearing = <A, E, R>(call: Effect.Effect<A, E, R>, onWait: (wait: Wait) => Effect.Effect<void>) =>
  Effect.updateService(call, CallContext, (context) => ({ ...context, onWait }))

/** Begins to read a game, and returns as soon as that reading waits. */
const begun = Effect.fnUntraced(function* (game: string) {
  const waits = yield* Deferred.make<void>()
  const listen = () => Effect.asVoid(Deferred.succeed(waits, undefined))
  yield* Effect.forkChild(hearing(products(game), listen))
  yield* Deferred.await(waits)
})

/** The first request of each of these games is answered 429; all others get their page. */
const refusing = (games: ReadonlyArray<string>, data: unknown, headers: Record<string, string> = {}) => {
  const refused = new Set<string>()
  return against(
    ({ body }, response) => {
      const game = gameOf(body)
      if (!games.includes(game) || refused.has(game)) return sendJson(response, page)
      refused.add(game)
      sendError(response, 429, "TOO_MANY_REQUESTS", data, headers)
    },
    { timeoutMillis: 5000, maxRateWaitMillis: 2000 }
  )
}

describe.concurrent("a wait that one game is asked for", () => {
  for (const [what, data] of [
    ["with its bucket", { bucket: "catalogue-search", limit: 60, retryAfter: 1.9 }],
    ["without a limit", { bucket: "catalogue-search", retryAfter: 1.9 }],
    ["by Retry-After alone", {}]
  ] as const) {
    live(`${what} is that game's alone`, () =>
      Effect.gen(function* () {
        yield* begun("slow")
        assert.isBelow((yield* products("other")).millis, 1700)
        assert.isAtLeast((yield* products("slow")).millis, 150)
      }).pipe(refusing(["slow"], data, { "retry-after": "1.9" }))
    )
  }

  live("is everybody's where the bucket is global", () =>
    Effect.gen(function* () {
      yield* begun("slow")
      assert.isAtLeast((yield* products("other")).millis, 400)
    }).pipe(refusing(["slow"], { bucket: "global", limit: 60, retryAfter: 0.8 }))
  )

  live("is everybody's once the bucket has refused a second game", () =>
    Effect.gen(function* () {
      yield* begun("slow")
      yield* begun("slower")
      assert.isAtLeast((yield* products("other")).millis, 400)
    }).pipe(refusing(["slow", "slower"], { bucket: "catalogue-search", limit: 60, retryAfter: 0.8 }))
  )

  live("of a day ends that call at once, and delays no other", () =>
    Effect.gen(function* () {
      const start = performance.now()
      const error = yield* ends("slow")
      assert.strictEqual(error._tag, "RateLimited")
      assert.match(error.message, /limits POST .*"game":"slow".* asks for 86400 s more\. Run it again later/)
      assert.isTrue((yield* products("other")).read)
      assert.isTrue((yield* products("slow")).read)
      assert.isBelow(performance.now() - start, 60_000)
    }).pipe(refusing(["slow"], { bucket: "global", limit: 60, retryAfter: 86_400 }, { "retry-after": "86400" }))
  )
})

describe.concurrent("a figure that makes no sense is ignored", () => {
  for (const headers of [
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "-1000000" },
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "1e400" },
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "NaN" },
    { "x-ratelimit-limit": "1e-9", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "0.5", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "0", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "-60", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "Infinity", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "1e300", "x-ratelimit-remaining": "0" },
    { "x-ratelimit-limit": "", "x-ratelimit-remaining": "" }
  ]) {
    live(JSON.stringify(headers), () =>
      Effect.gen(function* () {
        for (let turn = 0; turn < 3; turn++) assert.isBelow((yield* products("fable")).millis, 9000)
      }).pipe(
        against((_, response) => sendJson(response, page, 200, headers), {
          minuteMillis: 60_000,
          maxRateWaitMillis: 10_000
        })
      )
    )
  }

  for (const [data, header] of [
    ['{"bucket":"global","limit":60,"retryAfter":1e308}', ""],
    ['{"bucket":"global","limit":60,"retryAfter":1e999}', ""],
    ['{"bucket":"global","limit":-1e308,"retryAfter":-5}', ""],
    ['{"bucket":7,"limit":{},"retryAfter":[]}', ""],
    ["[]", ""],
    ["null", ""],
    ['"__proto__"', ""],
    ["{}", "1e308"],
    ["{}", "-1"],
    ["{}", "Fri, 31 Dec 275760 23:59:59 GMT"],
    ["{}", "99999999999999999999999999"]
  ] as const) {
    live(`429 with ${data} ${header}`, () =>
      Effect.gen(function* () {
        const { millis, read } = yield* products("fable")
        assert.isTrue(read)
        assert.isBelow(millis, 60_000)
      }).pipe(
        against(
          ({ count }, response) => {
            if (count > 0) return sendJson(response, page)
            response.writeHead(429, header === "" ? {} : { "retry-after": header })
            response.end(`{"code":"TOO_MANY_REQUESTS","status":429,"message":"","data":${data}}`)
          },
          { timeoutMillis: 2000 }
        )
      )
    )
  }

  live("the longest wait for a limit has a bound, whatever the limit", () =>
    Effect.gen(function* () {
      yield* products("fable")
      const { millis } = yield* products("fable")
      assert.isAtLeast(millis, 190)
      assert.isBelow(millis, 50_000)
    }).pipe(
      against(
        (_, response) => sendJson(response, page, 200, { "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" }),
        { minuteMillis: 60_000, maxRateWaitMillis: 200 }
      )
    )
  )
})

live("a wait is announced when it begins, with its length and its reason", () => {
  const announced: Array<Wait & { readonly asked: number; readonly announcedAt: number }> = []
  return Effect.gen(function* () {
    const { asked } = yield* StrangeServer
    const listen = (wait: Wait) =>
      Effect.sync(() => void announced.push({ ...wait, asked: asked.length, announcedAt: Date.now() }))
    yield* hearing(products("fable"), listen)
    // A timer may end a millisecond early; the limit then waits for the rest.
    assert.deepStrictEqual(
      announced
        .filter(({ millis, why }) => why !== "rate limit" || millis >= 10)
        .map(({ why, asked }) => `${why} ${asked}`),
      ["503 1", "429 2"]
    )
    assert.approximately(announced[1]?.millis ?? 0, 150, 5)
    assert.approximately((announced[1]?.untilMillis ?? 0) - (announced[1]?.announcedAt ?? 0), 150, 100)
  }).pipe(
    against(({ count }, response) => {
      if (count === 0) return sendError(response, 503, "X")
      if (count > 1) return sendJson(response, page)
      sendError(response, 429, "TOO_MANY_REQUESTS", { bucket: "global", limit: 60, retryAfter: 0.15 })
    })
  )
})
