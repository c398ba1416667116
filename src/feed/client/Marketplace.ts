import { Clock, Config, Context, Effect, Layer, Redacted, Result, Random } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import { Authorization } from "../contract/Authorization.ts"
import { SettingInvalid, webAddressFault } from "../contract/SettingInvalid.ts"
import { requiredDialect } from "./RequiredDialect.ts"
import type { BudgetShare } from "./limiter/RateBuckets.ts"
import { RateLimiter } from "./limiter/RateLimiter.ts"
import type { KeyBudgets } from "./limiter/TokenStore.ts"
import { maxBodyBytes, leaveLargePageLock, type OpenedPage, withLargePageLock } from "./RawBody.ts"
import { attempt, type Call, type Service } from "./attempt.ts"
import {
  wholePage,
  type OpenPage,
  changelogCall,
  type ChangelogQuery,
  type CursorPagination,
  type PageCall
} from "./pageCalls.ts"
import { type HistoryRequest, otherCalls } from "./otherCalls.ts"
import { makeScrub } from "./scrub.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { webClient } from "./webClient.ts"
import type { MarketplaceError } from "./MarketplaceError.ts"
import { waitFor } from "./CallContext.ts"

/** Reads and validates a setting. Callers trim it, because a key read from a file often ends in a newline. */
const setting = <A>(name: string, config: Config.Config<A>, fault: (value: A) => string | null) =>
  Effect.gen(function* () {
    const value = yield* config.pipe(
      Effect.mapError(() => new SettingInvalid({ name, what: "is missing or malformed" }))
    )
    const what = fault(value)
    return what === null ? value : yield* new SettingInvalid({ name, what })
  })

export const keySetting = Effect.map(
  setting("CARDLAKE_API_KEY", Config.Redacted("CARDLAKE_API_KEY"), (value) =>
    /^[\x21-\x7e]+$/.test(Redacted.value(value).trim())
      ? null
      : "is empty or contains characters that a key cannot have"
  ),
  (value) => Redacted.make(Redacted.value(value).trim())
)

export const urlSetting = Effect.map(
  setting("CARDLAKE_URL", Config.String("CARDLAKE_URL"), (value) =>
    /^[^?#]*[?#]./.test(value) && webAddressFault(value) === null
      ? "has a query or a fragment, which is never sent. Leave it out"
      : webAddressFault(value)
  ),
  (value) => new URL(value)
)

/** Returns the base address: origin and prefix without the version, which every path begins with. */
export const withoutQuery = ({ origin, pathname }: URL): string =>
  origin + pathname.replace(/\/+$/, "").replace(/\/v1$/, "").replace(/\/+$/, "")

/** Adds the key to every request. Spec: Authentication, 1. */
const authorizationClient = HttpApiMiddleware.layerClient(
  Authorization,
  Effect.map(
    keySetting,
    (bearer) =>
      ({ request, next }) =>
        next(HttpClientRequest.bearerToken(request, bearer))
  )
)

/** A program's use of the marketplace's limits. */
export interface MarketplaceUse {
  /** The budgets that workers with the same key share; absent if none is shared. */
  readonly keyBudgets?: KeyBudgets | undefined
  /** The part of each limit that this program uses (default: all). */
  readonly share?: BudgetShare
}

/** Warns once that the marketplace repeats the key. */
const warnOnRepeat = () => {
  let isReported = false
  return (request: string) =>
    Effect.suspend(() => {
      if (isReported) return Effect.void
      isReported = true
      return Effect.logWarning(
        `The marketplace repeats the API key in ${request}; the stored pages say <redacted> instead`
      )
    })
}

// Not Effect's retryTransient, because it stops at an answer's head, and a page is retried because of its body.

/**
 * Repeats a call while its fault is temporary: exponential waits with jitter, or the wait that the server requires. The
 * limiter handles a 429, bounded by the time waited; any other fault is bounded by a number of attempts.
 */
const withRetries = Effect.fnUntraced(function* <A>(
  service: Service,
  call: Call<A>
): Effect.fn.Return<A, MarketplaceError> {
  const { limiter } = service
  const policy = yield* RetryPolicy
  let attempts = 0
  let limits = 0
  let waitedMillis = 0
  while (true) {
    const result = yield* limiter.within(call, attempt(service, call))
    if (Result.isSuccess(result)) return result.success
    yield* leaveLargePageLock
    const fault = result.failure
    if (fault._tag === "Final") return yield* fault.error
    const backoff = Math.min(policy.baseMillis * 2 ** (fault.limited ? limits : attempts), policy.maxBackoffMillis)
    const jittered = backoff * (1 - 0.25 * (yield* Random.next))
    const wait = fault.waitMillis ?? jittered
    if (fault.limited) {
      limits += 1
      if (waitedMillis + wait > policy.maxRateWaitMillis || limits > policy.rateTimes) {
        return yield* fault.giveUp(limits, waitedMillis)
      }
      if (fault.waitMillis === null) yield* limiter.pause(call, fault.limited, wait)
      // Added jitter spreads the retries of waiting requests.
      const whole = wait + (fault.waitMillis === null ? 0 : jittered * 0.1)
      yield* limiter.tally.whileWaiting(call.game, waitFor(whole, fault.why))
    } else {
      attempts += 1
      if (attempts > policy.times || wait > policy.maxRequiredWaitMillis) {
        return yield* fault.giveUp(attempts, waitedMillis)
      }
      yield* waitFor(wait, fault.why)
    }
    limiter.tally.retried(call.game)
    waitedMillis += wait
  }
})

/** Opens the limiter of a key. Workers with the same key share its budget. */
const openLimiter = Effect.fnUntraced(function* (
  key: string,
  { keyBudgets, share = { common: 1, own: 1 } }: MarketplaceUse
) {
  const { minuteMillis } = yield* RetryPolicy
  const clock = yield* Clock.Clock
  const wallMillis = () => clock.currentTimeMillisUnsafe()
  const sharing = keyBudgets === undefined ? null : { budget: yield* keyBudgets(key), wallMillis }
  return new RateLimiter(share, minuteMillis, sharing)
})

const make = Effect.fnUntraced(function* (use: MarketplaceUse) {
  const base = yield* urlSetting
  const baseUrl = withoutQuery(base)
  const client = yield* HttpApiClient.make(NightlyApi, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("accept-encoding", "gzip"))
  })
  const dialect = yield* requiredDialect
  const key = Redacted.value(yield* keySetting)
  const limiter = yield* openLimiter(key, use)
  const service: Service = {
    url: base.origin,
    prefix: baseUrl.slice(base.origin.length),
    limiter,
    key,
    scrub: makeScrub(key),
    onRepeated: warnOnRepeat()
  }
  const calls = otherCalls(client, dialect, service)
  const run = <A>(call: Call<A>) => withRetries(service, call)
  /** For requests whose answers are mostly discarded. */
  const small = <A>(call: Call<A>) => withLargePageLock(run(call))
  const opened = <P, A extends OpenedPage<P>>({ send, ...call }: PageCall<P>, open: OpenPage<P, A>) =>
    run({ ...call, send: send(client), open: (answer) => open(answer, { ...call, send }, service) })
  return {
    /** Origin and path of the service, without credentials. */
    url: baseUrl,
    /** The dialect that the settings require; null if answers determine it. */
    dialect,
    games: run(calls.games),
    account: small(calls.account),
    /** Requests a page of a list and opens it with the caller's function. */
    opened,
    /** Requests one page, newest entry first. `limit` is 1 to 100. */
    changelog: (gameId: string, query: ChangelogQuery) =>
      opened(changelogCall(gameId, query, dialect), wholePage<CursorPagination>),
    /** Returns a game's feed files; null if they were not built. Fails with `NotFound` if the operation is missing. */
    feedFiles: (gameId: string) => small(calls.feedFiles(gameId)),
    /** Returns the number of a game's products. Requests one product. */
    productCount: (gameId: string) => small(calls.productCount(gameId)),
    priceHistory: (request: HistoryRequest) => run(calls.priceHistory(request)),
    /** Returns the last limit that the service stated; null if none yet. */
    rateLimit: () => limiter.seen,
    granted: () => limiter.tokens.granted(),
    countRequests: limiter.tally.count,
    /** Estimates the minimum time of further requests of an operation by the limits learned so far. */
    millisFor: limiter.millisFor,
    /** The learned rate buckets. Those of the price history outlive a run. */
    buckets: limiter.buckets,
    /** Estimates the duration of a night by the limits learned so far; null if no limit is known. */
    secondsOfNight: (requests: number) => {
      // Nearly all of a night's requests are for products.
      const known = [...limiter.buckets.of({ operation: "products", game: null })]
      return known.length === 0 ? null : Math.max(...known.map((bucket) => bucket.millisAfresh(requests))) / 1000
    }
  }
})

/**
 * The marketplace's lists as raw pages, every call with key, time-out, retries and the shared rate budget.
 * Reads `CARDLAKE_URL`, `CARDLAKE_API_KEY` and `CARDLAKE_DIALECT`. Spec: Endpoints; beyond the spec: sections 1 to 3 and 15, row 1.
 */
export class Marketplace extends Context.Service<Marketplace, Effect.Success<ReturnType<typeof make>>>()(
  "cardlake/client/Marketplace"
) {
  static readonly layerNoDeps = (use: MarketplaceUse = {}) =>
    Layer.effect(Marketplace, make(use)).pipe(Layer.provide(authorizationClient))
  static readonly layerOf = (use: MarketplaceUse) => this.layerNoDeps(use).pipe(Layer.provide(webClient(maxBodyBytes)))
  static readonly layer = this.layerOf({})
}
