import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { PaymentsFail } from "../orders/refundOrder.ts"
import { type CurrentDialect, wordings } from "../wording/Wording.ts"
import { type FaultRequest, readFaultRequest } from "./readFaultRequest.ts"
import {
  deadLink,
  declaredGzip,
  emptyBody,
  feedNotGenerated,
  htmlPage,
  invalidGzip,
  invalidJson,
  pageWithKey,
  changeFileMetadata,
  truncatedBody,
  drip,
  resetBefore,
  resetInBody,
  notFound500,
  rateLimited,
  revoked,
  serverError,
  addCommonHeaders
} from "./brokenAnswers.ts"
import type { DrawnFault, FaultLedger, Faults, TestRule } from "./Faults.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { requestWith, textOf, withText } from "../answers/wire.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** A request and its answer without faults. */
interface Answered {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly asked: FaultRequest
  readonly answer: Answer
}

/** True if the request is refused before it is executed. */
const isGate = ({ kind }: FaultRule | TestRule): boolean => kind === "rate-limited" || kind === "revoked"

/** Returns a request that passes the same checks and changes nothing. */
const harmless = (request: HttpServerRequest.HttpServerRequest) =>
  requestWith(request, { method: "GET", url: "/v1/games" })

/** Applies a rule to an answer; undefined if it does not apply. */
const changedAnswer = (
  { answer, asked }: Answered,
  { draw, rule }: Pick<DrawnFault<FaultRule>, "draw" | "rule">
): Answer | undefined => {
  switch (rule.kind) {
    case "drip":
      return drip(answer, rule.bytes ?? 256, rule.millis ?? 10)
    case "truncated":
      return truncatedBody(answer, draw)
    case "invalid-gzip":
      return invalidGzip(answer, draw)
    case "invalid-json":
      return invalidJson(answer)
    case "html":
      return htmlPage(answer)
    case "empty":
      return emptyBody(answer)
    case "rate-limited":
      return addCommonHeaders(answer, rateLimited(rule, answer, draw))
    case "server-error":
      return addCommonHeaders(answer, serverError(rule, answer, draw))
    case "not-found-500":
      return addCommonHeaders(answer, notFound500(asked))
    case "revoked":
      return addCommonHeaders(answer, revoked())
    case "dead-link":
      return deadLink
    case "declared-gzip":
      return declaredGzip(answer)
    case "feed-not-generated":
      return addCommonHeaders(answer, feedNotGenerated(asked.gameId))
    case "wrong-checksum":
    case "wrong-count":
    case "null-feed":
      return asked.endpoint === "feeds" ? changeFileMetadata(answer, rule) : undefined
    case "unknown-key":
      return pageWithKey(answer, rule)
    default:
      return undefined
  }
}

/** Has a test's rule change the text of an answer; undefined if it does not apply. */
const testAnswer = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<Answer, E, R>,
  { answer, asked, request }: Answered,
  { draw, rule }: Pick<DrawnFault<TestRule>, "draw" | "rule">
) {
  const context = yield* Effect.context<R>()
  const answerTo = (url: string, body: string | undefined) => {
    const other = requestWith(request, { url, ...(body === undefined ? {} : { text: Effect.succeed(body) }) })
    return app.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, other),
      Effect.map(textOf),
      Effect.orDie,
      Effect.provideContext(context)
    )
  }
  const text = yield* rule.change(textOf(answer), { draw, asked, url: request.url, answerTo })
  return text === undefined ? undefined : withText(answer, text)
})

/** Applies drawn rules to a request: before its answer and to it. They redeploy `games` or change the dialect `spoken`. */
const applyRules = (games: ReadonlyMap<string, LiveGame>, spoken: CurrentDialect) => {
  /** Returns true if a deployment went live. */
  const redeploy = Effect.fnUntraced(function* (rule: FaultRule & { readonly kind: "redeploy" }, asked: FaultRequest) {
    const deploy = games.get(asked.gameId ?? rule.game ?? "")?.deploy ?? Effect.undefined
    let moved = 0
    while (moved < (rule.steps ?? 1) && (yield* deploy) !== undefined) moved += 1
    return moved > 0
  })
  /** Applies a rule before the answer. Returns true if something changed, null if the rule waits for the answer. */
  const before = Effect.fnUntraced(function* (rule: FaultRule | TestRule, asked: FaultRequest) {
    if ("change" in rule) return null
    if (rule.kind === "redeploy" && rule.when !== "after") return yield* redeploy(rule, asked)
    if (rule.kind !== "dialect") return null
    const isAnother = rule.dialect !== spoken.wording.name
    spoken.wording = wordings[rule.dialect]
    return isAnother
  })
  /** Returns the faulty answer; undefined if the fault does not apply. Only successful answers are changed. */
  const strike = Effect.fnUntraced(function* <E, R>(
    app: Effect.Effect<Answer, E, R>,
    { answer, asked, request }: Answered,
    { draw, rule }: DrawnFault
  ) {
    if (answer.status >= 300) return undefined
    if ("change" in rule) return yield* testAnswer(app, { answer, asked, request }, { draw, rule })
    if (rule.kind === "reset") return yield* resetBefore(request)
    if (rule.kind === "reset-body") return yield* resetInBody(request, answer, draw)
    if (rule.kind === "delay") return yield* Effect.as(Effect.interruptible(Effect.sleep(rule.millis ?? 1000)), answer)
    if (rule.kind === "redeploy") return (yield* redeploy(rule, asked)) ? answer : undefined
    return changedAnswer({ answer, asked, request }, { draw, rule })
  })
  return { before, strike }
}

/**
 * Wraps the sandbox: while faults are on, marketplace requests are counted and the drawn fault changes the answer. A
 * redeploy changes `games`; a dialect changes `spoken`.
 */
export const faultyAnswers = (
  faults: Faults["Service"],
  games: ReadonlyMap<string, LiveGame>,
  spoken: CurrentDialect
) => {
  /** Remaining 401 answers of a revoked key, by plan. */
  const revokedLeft = new WeakMap<FaultLedger, number>()
  const { before, strike } = applyRules(games, spoken)

  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const ledger = faults.current()
      if (ledger === undefined) return yield* app
      const asked = yield* readFaultRequest(request)
      if (asked === undefined) return yield* app
      const atGate = Effect.provideService(app, HttpServerRequest.HttpServerRequest, harmless(request))
      const fault = ledger.draw(asked)
      const left = revokedLeft.get(ledger) ?? 0
      if (left > 0) {
        revokedLeft.set(ledger, left - 1)
        fault?.passed()
        return addCommonHeaders(yield* atGate, revoked())
      }
      if (fault === undefined) return yield* app
      const { rule } = fault
      const end = (isDone: boolean) => (isDone ? fault.done() : fault.passed())
      const did = yield* before(rule, asked)
      if (did !== null) {
        end(did)
        return yield* app
      }
      const isPayment = !("change" in rule) && rule.kind === "server-error" && rule.status === 502
      if (asked.endpoint === "refunds" && isPayment) {
        yield* PaymentsFail.set(true)
        const answer = yield* app
        end(answer.status === 502)
        return answer
      }
      const answer = yield* isGate(rule) ? atGate : app
      const struck = yield* strike(app, { request, asked, answer }, fault)
      end(struck !== undefined)
      if (struck !== undefined && !("change" in rule) && rule.kind === "revoked")
        revokedLeft.set(ledger, (rule.requests ?? Infinity) - 1)
      if (struck !== undefined) return struck
      return isGate(rule) ? yield* app : answer
    })
}
