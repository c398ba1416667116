import { assert, describe } from "@effect/vitest"
import { Duration, Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import type { OffsetList } from "../../../src/feed/client/offsetLists.ts"
import { offsetPage, offsetPages } from "../../../src/feed/client/offsetPages.ts"
import { wholePage, type OffsetPagination } from "../../../src/feed/client/pageCalls.ts"
import { minuteMillis, rateLimited, slidingLimited } from "./RateLimitedServer.ts"
import { against, sendError, sendJson } from "./StrangeServer.ts"
import { effect, live } from "../../support/suite.ts"
import { tried } from "../../tried.ts"

const page = (offset: number, total: number) => ({
  data: [],
  pagination: { offset, limit: 200, total, hasMore: offset + 200 < total }
})
const walk = (list: OffsetList) =>
  Stream.runCount(
    offsetPages({ gameId: "fable", list }, wholePage<OffsetPagination>, ({ pagination }) =>
      Effect.succeed({ pagination })
    )
  )
const policy = { minuteMillis, maxRateWaitMillis: 5000, timeoutMillis: 5000 }

/** Answers pages of a list of `count` pages within the limit. */
const serveWithin = (limited: ReturnType<typeof rateLimited>, count: number, millis = minuteMillis) =>
  against(
    ({ query }, response) => {
      if (limited.refuses(response)) return
      sendJson(response, page(Number(query.get("offset")), count * 200), 200, limited.headers())
    },
    { ...policy, minuteMillis: millis }
  )

/** How long an effect takes, in milliseconds. */
const millisOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([took]) => Duration.toMillis(took))

/** What this machine needs for these requests right now, if nothing holds them back. */
const unlimitedMillis = <A, E>(requests: Effect.Effect<A, E, Marketplace>, count: number) =>
  millisOf(requests).pipe(
    against(({ query }, response) => sendJson(response, page(Number(query.get("offset")), count * 200)), policy)
  )

describe("a rate limit", () => {
  live("that headers state is never hit, and its burst is used", () => {
    const limited = rateLimited(60)
    return Effect.gen(function* () {
      const start = performance.now()
      assert.strictEqual(yield* walk("products"), 120)
      assert.strictEqual(limited.counts.refused, 0)
      const millis = performance.now() - start
      assert.isAtLeast(millis, 0.95 * minuteMillis)
      assert.isBelow(millis, 10 * minuteMillis)
    }).pipe(serveWithin(limited, 120))
  })

  const users = [
    ["this program alone", 0],
    ["another program, too", 25]
  ] as const
  for (const [who, earlier] of tried<(typeof users)[number]>(users, ([, earlier]) => earlier > 0)) {
    live(`within any minute is never hit when it is used by ${who}`, () => {
      const limited = slidingLimited(60, { earlier })
      return Effect.gen(function* () {
        const requests = Effect.all([walk("products"), walk("expansions"), walk("products")], { concurrency: 3 })
        const millis = yield* millisOf(requests)
        assert.strictEqual(limited.counts.refused, 0)
        assert.isAtMost(limited.counts.most, 60)
        // 180 requests at 60 a minute take three minutes; as long again is for the machine, and more for one that is slow.
        const pace = millis < 6 * minuteMillis ? 0 : yield* unlimitedMillis(requests, 60)
        assert.isBelow(millis, 6 * minuteMillis + 5 * pace)
      }).pipe(
        against(({ query }, response) => {
          const headers = limited.admit(response)
          if (headers !== null) sendJson(response, page(Number(query.get("offset")), 60 * 200), 200, headers)
        }, policy)
      )
    })
  }

  live.full("that only a 429 states is hit by the requests under way then, and never again", () => {
    // Fills so slowly that every machine asks faster.
    const millis = 5 * minuteMillis
    const limited = rateLimited(60, { states: false, millis })
    return Effect.gen(function* () {
      assert.strictEqual(yield* walk("products"), 80)
      assert.isAtLeast(limited.counts.refused, 1)
      assert.isAtMost(limited.counts.refused, 16)
      const before = limited.counts.refused
      assert.strictEqual(yield* walk("products"), 80)
      assert.strictEqual(limited.counts.refused, before)
    }).pipe(serveWithin(limited, 80, millis))
  })

  live("is shared by lists that are read at once", () => {
    const limited = rateLimited(60)
    return Effect.gen(function* () {
      const { games } = yield* Marketplace
      yield* Effect.ignore(games)
      yield* Effect.all([walk("products"), walk("expansions"), walk("products")], { concurrency: 3 })
      assert.strictEqual(limited.counts.passed, 121)
      assert.strictEqual(limited.counts.refused, 0)
    }).pipe(serveWithin(limited, 40))
  })

  live("of one operation holds back no other", () => {
    const limited = rateLimited(6, { bucket: "catalogue-search", states: false })
    return Effect.gen(function* () {
      const products = Effect.map(walk("products"), () => performance.now())
      const expansions = Effect.map(Effect.andThen(Effect.sleep(100), walk("expansions")), () => performance.now())
      const [searched, listed] = yield* Effect.all([products, expansions], { concurrency: 2 })
      assert.isBelow(listed, searched)
    }).pipe(
      against(({ path, query }, response) => {
        if (path.endsWith("/search") && limited.refuses(response)) return
        sendJson(response, page(Number(query.get("offset")), 14 * 200))
      }, policy)
    )
  })

  live("is in the account of requests, and time that several wait counts once", () => {
    const askedMillis = 1000
    return Effect.gen(function* () {
      const { countRequests } = yield* Marketplace
      const asked = yield* countRequests
      yield* Effect.all(
        ["fable", "riddle", "saga"].map((game) => offsetPage("expansions", game, 0)),
        { concurrency: 3 }
      )
      const { waitedMillis, ...all } = yield* asked()
      assert.deepStrictEqual(all, { requests: 6, retried: 3 })
      assert.isAtLeast(waitedMillis, askedMillis)
      assert.isBelow(waitedMillis, 2 * askedMillis)
      const { waitedMillis: _, ...one } = yield* asked("riddle")
      assert.deepStrictEqual(one, { requests: 2, retried: 1 })
    }).pipe(
      against(
        ({ count }, response) =>
          count < 3
            ? sendError(response, 429, "TOO_MANY_REQUESTS", {}, { "retry-after-ms": String(askedMillis) })
            : sendJson(response, page(0, 1)),
        policy
      )
    )
  })

  effect("holds nobody back because the clock was set back", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(24 * 3600 * 1000)
      yield* Effect.all([offsetPage("expansions", "fable", 0), offsetPage("expansions", "fable", 0)])
      yield* TestClock.setTime(0)
      assert.strictEqual((yield* offsetPage("expansions", "fable", 0)).received, 0)
    }).pipe(serveWithin(rateLimited(60), 1))
  )

  live("says how long the rest will take at least", () => {
    const limited = rateLimited(60)
    return Effect.gen(function* () {
      const { millisFor } = yield* Marketplace
      assert.strictEqual(millisFor({ operation: "expansions", game: "fable" }, 1000, Date.now()), 0)
      yield* offsetPage("expansions", "fable", 0)
      // Of each minute's 60, 58 are used.
      const expected = (1000 / 58) * minuteMillis
      assert.approximately(
        millisFor({ operation: "expansions", game: "fable" }, 1000, Date.now()),
        expected,
        0.05 * expected
      )
    }).pipe(serveWithin(limited, 1))
  })
})

describe("the number of requests under way", () => {
  live("falls when the service fails, and rises again", () => {
    let inFlight = 0
    let most = 0
    let answered = 0
    const failing = () => answered > 50 && answered < 60
    const seen: Array<number> = []
    return Effect.gen(function* () {
      assert.strictEqual(yield* walk("products"), 400)
      assert.isAtLeast(Math.max(...seen.slice(0, 40)), 8)
      assert.isAtMost(Math.min(...seen.slice(60, 120)), 4)
      assert.isAtLeast(Math.max(...seen.slice(-100)), 8)
      assert.isAtMost(most, 16)
    }).pipe(
      against(({ query }, response) => {
        most = Math.max(most, ++inFlight)
        setTimeout(() => {
          seen.push(inFlight)
          inFlight -= 1
          answered += 1
          if (failing()) sendError(response, 503, "SERVICE_UNAVAILABLE")
          else sendJson(response, page(Number(query.get("offset")), 400 * 200))
        }, 5)
      }, policy)
    )
  })
})
