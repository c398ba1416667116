import { Clock, Config, Context, Effect, Layer, Redacted, Result } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { type Account, NightlyApi } from "../contract/NightlyApi.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { Authorization } from "../contract/Authorization.ts"
import { SettingInvalid, webAddressFault } from "../contract/SettingInvalid.ts"
import type { MarketplaceError } from "./MarketplaceError.ts"
import { askedDialect } from "./AskedDialect.ts"
import type { BudgetShare, RateBuckets } from "./limiter/RateBuckets.ts"
import { RateLimiter } from "./limiter/RateLimiter.ts"
import type { KeyBudgets } from "./limiter/TokenStore.ts"
import {
  largestBodyBytes,
  leaveLargePageLock,
  type OpenedPage,
  type Page,
  type RawBody,
  withLargePageLock
} from "./RawBody.ts"
import { attempt, type Call, type Service } from "./attempt.ts"
import { wholePage, type OpenPage } from "./openPage.ts"
import { changelogCall, type ChangelogQuery, type CursorPagination, type PageCall } from "./pageCalls.ts"
import { type AskedHistory, otherCalls } from "./otherCalls.ts"
import type { OfferedFeeds } from "./feedFiles.ts"
import { makeScrub } from "./scrub.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { webClient } from "./webClient.ts"
import { withRetries } from "./withRetries.ts"

/** `url`, `key` as the environment has them. Trimmed: a key read from a file often ends in a newline. */
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

/** The address of every path: origin and prefix, without the version, with which each path begins. */
export const baseUrlOf = ({ origin, pathname }: URL): string =>
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

/** How a program uses the marketplace's limits. */
export interface MarketplaceUse {
  /** The budgets of keys that workers share; absent: nobody shares one. */
  readonly keyBudgets?: KeyBudgets | undefined
  /** The part of each limit that this program uses; absent: all of it. */
  readonly share?: BudgetShare
}

/** Says once that the marketplace repeats the key. */
const tellRepeated = () => {
  let isTold = false
  return (request: string) =>
    Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(
        `The marketplace repeats the API key in ${request}; the stored pages say <redacted> instead`
      )
    })
}

const make = Effect.fnUntraced(function* ({ keyBudgets, share = { common: 1, own: 1 } }: MarketplaceUse) {
  const base = yield* urlSetting
  const baseUrl = baseUrlOf(base)
  const client = yield* HttpApiClient.make(NightlyApi, {
    baseUrl,
    transformClient: HttpClient.mapRequest(HttpClientRequest.setHeader("accept-encoding", "gzip"))
  })
  const dialect = yield* askedDialect
  const key = Redacted.value(yield* keySetting)
  const { minuteMillis } = yield* RetryPolicy
  const clock = yield* Clock.Clock
  const wallMillis = () => clock.currentTimeMillisUnsafe()
  const sharing = keyBudgets === undefined ? null : { budget: yield* keyBudgets(key), wallMillis }
  const limiter = new RateLimiter(share, minuteMillis, sharing)
  const service: Service = {
    url: base.origin,
    prefix: baseUrl.slice(base.origin.length),
    limiter,
    key,
    scrub: makeScrub(key),
    onRepeated: tellRepeated()
  }
  const calls = otherCalls(client, dialect, service)
  const run = <A>(call: Call<A>) => {
    const tried = Effect.tap(attempt(service, call), (result) =>
      Result.isFailure(result) ? leaveLargePageLock : Effect.void
    )
    return withRetries(limiter, call, tried)
  }
  /** For requests whose answers are mostly discarded. */
  const small = <A>(call: Call<A>) => withLargePageLock(run(call))
  const opened = <P, A extends OpenedPage<P>>({ send, ...call }: PageCall<P>, open: OpenPage<P, A>) =>
    run({ ...call, send: send(client), open: (answer) => open(answer, { ...call, send }, service) })
  return {
    url: baseUrl,
    dialect,
    games: run(calls.games),
    account: small(calls.account),
    opened,
    changelog: (gameId, query) => opened(changelogCall(gameId, query, dialect), wholePage<CursorPagination>),
    feedFiles: (gameId) => small(calls.feedFiles(gameId)),
    productCount: (gameId) => small(calls.productCount(gameId)),
    priceHistory: (asked) => run(calls.priceHistory(asked)),
    rateLimit: () => limiter.seen,
    granted: () => limiter.tokens.granted(),
    countAsked: limiter.tally.count,
    millisFor: (...asked) => limiter.millisFor(...asked),
    buckets: limiter.buckets,
    secondsOfNight: (requests) => {
      // Nearly all of a night's requests are for products.
      const known = [...limiter.buckets.of({ operation: "products", game: null })]
      return known.length === 0 ? null : Math.max(...known.map((bucket) => bucket.millisAfresh(requests))) / 1000
    }
  } satisfies Marketplace["Service"]
})

/**
 * The marketplace's lists as raw pages, every call with key, time-out, retries and the shared rate budget.
 * Reads `CARDLAKE_URL`, `CARDLAKE_API_KEY` and `CARDLAKE_DIALECT`. Spec: Endpoints; beyond the spec: sections 1 to 3 and 15, row 1.
 */
export class Marketplace extends Context.Service<
  Marketplace,
  {
    /** Origin and path of the service, without credentials. */
    readonly url: string
    /** The words that its answers were asked to be read in; null: those that they show. */
    readonly dialect: Dialect | null
    readonly games: Effect.Effect<Page<null>, MarketplaceError>
    readonly account: Effect.Effect<typeof Account.Type, MarketplaceError>
    /** A page of a list, opened by the caller's function. */
    readonly opened: <P, A extends OpenedPage<P>>(
      call: PageCall<P>,
      open: OpenPage<P, A>
    ) => Effect.Effect<A, MarketplaceError>
    /** One page, newest entry first. `limit` 1 to 100. */
    readonly changelog: (
      gameId: string,
      query: ChangelogQuery
    ) => Effect.Effect<Page<CursorPagination>, MarketplaceError>
    /** The feed files of a game; null: they were not built. Fails with `NotFound` where there is no such operation. */
    readonly feedFiles: (gameId: string) => Effect.Effect<OfferedFeeds, MarketplaceError>
    /** How many products a game has; one of them is requested. */
    readonly productCount: (gameId: string) => Effect.Effect<number, MarketplaceError>
    /** What the service itself says a product cost on days past. */
    readonly priceHistory: (asked: AskedHistory) => Effect.Effect<RawBody, MarketplaceError>
    /** The limit that the service stated last; null if none yet. */
    readonly rateLimit: () => RateLimiter["seen"]
    /** What was granted of a budget that workers share; null: nobody shares it. */
    readonly granted: RateLimiter["tokens"]["granted"]
    /** From now on: what is asked for one game, or altogether. */
    readonly countAsked: RateLimiter["tally"]["count"]
    /** How long this many more requests of an operation take at least, by the limits learned so far. */
    readonly millisFor: RateLimiter["millisFor"]
    /** What the service said of the price history's own limit, and what is known of it from before. */
    readonly buckets: Pick<RateBuckets, "historyTold" | "recallHistory">
    /** How long a night of so many requests takes at the limits learned so far; null: none is known. */
    readonly secondsOfNight: (requests: number) => number | null
  }
>()("cardlake/client/Marketplace") {
  static readonly layerNoDeps = (use: MarketplaceUse = {}) =>
    Layer.effect(Marketplace, make(use)).pipe(Layer.provide(authorizationClient))
  static readonly layerOf = (use: MarketplaceUse) =>
    this.layerNoDeps(use).pipe(Layer.provide(webClient(largestBodyBytes)))
  static readonly layer = this.layerOf({})
}
