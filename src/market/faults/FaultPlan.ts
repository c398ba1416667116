import { Schema } from "effect"
import { KnownDialectName } from "../../feed/contract/dialect/DialectName.ts"

/**
 * Operations that a rule can apply to. `products` is the list and the search, `sales` is all but `refunds`, `*` is
 * every operation.
 */
export const FaultEndpoint = Schema.Literals([
  "*",
  "games",
  "game",
  "expansions",
  "expansion",
  "products",
  "product",
  "changelog",
  "account",
  "prices",
  "feeds",
  "downloads",
  "inventory",
  "listings",
  "jobs",
  "cart",
  "sales",
  "refunds",
  "purchases"
])
export type FaultEndpoint = typeof FaultEndpoint.Type

const atLeast = (minimum: number) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(minimum))
const Positive = atLeast(1)
const Millis = atLeast(0)

/**
 * The requests that a rule applies to. With neither `rate` nor `at` it applies to every one; with both, either is
 * enough.
 */
const where = {
  endpoint: Schema.optionalKey(FaultEndpoint.annotate({ description: "Default `*`." })),
  game: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Only requests that name this game." })),
  offset: Schema.optionalKey(atLeast(0).annotate({ description: "Only the page of an offset list that starts here." })),
  rate: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
      description: "Share of the requests, 0 to 1."
    })
  ),
  at: Schema.optionalKey(
    Schema.Array(Positive).annotate({
      description: "Numbers of requests, counted from 1 over those that the rule applies to."
    })
  ),
  times: Schema.optionalKey(Positive.annotate({ description: "How often at most." }))
}
const Where = Schema.Struct(where)
export type Where = typeof Where.Type

/** Fault kinds without settings: cut connections, invalid JSON and faults of feed files. */
const Plain = Schema.Struct({
  ...where,
  kind: Schema.Literals([
    "reset",
    "reset-body",
    "truncated",
    "invalid-gzip",
    "invalid-json",
    "html",
    "empty",
    "not-found-500",
    "dead-link",
    "declared-gzip",
    "wrong-checksum",
    "null-feed",
    "feed-not-generated"
  ])
})

/** One rule: the requests it applies to, and their fault. Unspecified values are drawn from the seed. */
export const FaultRule = Schema.Union([
  Plain,
  /** Delays the answer. Default 1000. */
  Schema.Struct({ ...where, kind: Schema.Literal("delay"), millis: Schema.optionalKey(Millis) }),
  /** Sends the body in pieces of `bytes` (default 256), `millis` (default 10) apart. */
  Schema.Struct({
    ...where,
    kind: Schema.Literal("drip"),
    bytes: Schema.optionalKey(Positive),
    millis: Schema.optionalKey(Millis)
  }),
  /**
   * 429 of the bucket `global`. `limit` defaults to that of the headers. `retryAfter` is in seconds (default 1), in
   * header and body or only in the body.
   */
  Schema.Struct({
    ...where,
    kind: Schema.Literal("rate-limited"),
    limit: Schema.optionalKey(Positive),
    retryAfter: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
    header: Schema.optionalKey(Schema.Boolean)
  }),
  /**
   * A 5xx with the documented envelope or a proxy's text. The request is executed and only its answer is replaced.
   * Exception: a refund's 502, set by `status`, comes from the payment service, which refunded nothing.
   */
  Schema.Struct({
    ...where,
    kind: Schema.Literal("server-error"),
    status: Schema.optionalKey(Schema.Literals([500, 502, 503])),
    envelope: Schema.optionalKey(Schema.Boolean)
  }),
  /** 401 for this request and all later ones, or for this many in total. */
  Schema.Struct({ ...where, kind: Schema.Literal("revoked"), requests: Schema.optionalKey(Positive) }),
  /** Deploys the request's game (or `game`) `steps` times (default 1), before the answer (default) or after it. */
  Schema.Struct({
    ...where,
    kind: Schema.Literal("redeploy"),
    steps: Schema.optionalKey(Positive),
    when: Schema.optionalKey(Schema.Literals(["before", "after"]))
  }),
  /** The marketplace uses another dialect from this request on. */
  Schema.Struct({ ...where, kind: Schema.Literal("dialect"), dialect: KnownDialectName }),
  /** The `recordCount` of every feed file is wrong by this many (default 1). */
  Schema.Struct({ ...where, kind: Schema.Literal("wrong-count"), by: Schema.optionalKey(Schema.Int) }),
  /** The first record has a key that is not in the contract (default `sandboxKey`). */
  Schema.Struct({ ...where, kind: Schema.Literal("unknown-key"), key: Schema.optionalKey(Schema.NonEmptyString) })
]).annotate({ title: "FaultRule" })
export type FaultRule = typeof FaultRule.Type
export type FaultKind = FaultRule["kind"]

/** The rule schema of each fault kind, in the order of {@link FaultRule}. */
export const ruleOfKind: ReadonlyMap<string, (typeof FaultRule.members)[number]> = new Map(
  FaultRule.members.flatMap((member) => {
    const { kind } = member.fields
    return ("literals" in kind ? kind.literals : [kind.literal]).map((name) => [name, member] as const)
  })
)

/**
 * The rules of a sandbox, of which the first matching one applies. Draws depend on the seed, the request and its
 * repetition, not on the order of arrival.
 */
export const FaultPlan = Schema.Struct({
  seed: Schema.optionalKey(Schema.Int.annotate({ description: "Default 1." })),
  maxConsecutive: Schema.optionalKey(
    Positive.annotate({
      description: "After this many faults in a row, the same request is answered cleanly once; default: no bound."
    })
  ),
  rules: Schema.optionalKey(
    Schema.Array(FaultRule).annotate({ description: "Without rules requests are only counted." })
  )
}).annotate({ title: "FaultPlan" })
export type FaultPlan = typeof FaultPlan.Type
