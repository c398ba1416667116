import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { PaymentsFail } from "../orders/refundOrder.ts"
import { type CurrentDialect, wordings } from "../wording/Wording.ts"
import { type FaultRequest, readFaultRequest } from "./readFaultRequest.ts"
import * as broken from "./brokenAnswers.ts"
import type { DrawnFault, FaultLedger, Faults, TestRule } from "./Faults.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { type Incoming, type Answer, requestWith, readText, withText } from "../answers/wire.ts"

/** A request and its answer without faults. */
interface Answered {
  readonly request: Incoming
  readonly call: FaultRequest
  readonly answer: Answer
}

/** True if the request is refused before it is executed. */
const isGate = ({ kind }: FaultRule | TestRule): boolean => kind === "rate-limited" || kind === "revoked"

/** Returns a request that passes the same checks and changes nothing. */
const harmless = (request: Incoming) => requestWith(request, { method: "GET", url: "/v1/games" })

type Kind = FaultRule["kind"]
type Change<Of extends Kind> = (
  answer: Answer,
  rule: broken.Rule<Of>,
  draw: DrawnFault["draw"],
  call: FaultRequest
) => Answer | undefined

const changeFiles = (answer: Answer, rule: FaultRule, _draw: unknown, { endpoint }: FaultRequest) =>
  endpoint === "feeds" ? broken.changeFileMetadata(answer, rule) : undefined

/** The kinds that only change the answer. */
const changes: { readonly [Of in Kind]?: Change<Of> } = {
  drip: (answer, rule) => broken.drip(answer, rule.bytes ?? 256, rule.millis ?? 10),
  truncated: (answer, _, draw) => broken.truncatedBody(answer, draw),
  "invalid-gzip": (answer, _, draw) => broken.invalidGzip(answer, draw),
  "invalid-json": broken.invalidJson,
  html: broken.htmlPage,
  empty: broken.emptyBody,
  "rate-limited": broken.rateLimited,
  "server-error": broken.serverError,
  "not-found-500": (answer, _, _draw, call) => broken.notFound500(answer, call),
  revoked: broken.revoked,
  "dead-link": () => broken.deadLink,
  "declared-gzip": broken.declaredGzip,
  "feed-not-generated": (answer, _, _draw, { gameId }) => broken.feedNotGenerated(answer, gameId),
  "wrong-checksum": changeFiles,
  "wrong-count": changeFiles,
  "null-feed": changeFiles,
  "unknown-key": broken.pageWithKey
}

/** Has a test's rule change the text of an answer; undefined if it does not apply. */
const testAnswer = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<Answer, E, R>,
  { answer, call, request }: Answered,
  { draw, rule }: Pick<DrawnFault<TestRule>, "draw" | "rule">
) {
  const context = yield* Effect.context<R>()
  const answerTo = (url: string, body: string | undefined) => {
    const other = requestWith(request, { url, ...(body === undefined ? {} : { text: Effect.succeed(body) }) })
    return app.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, other),
      Effect.map(readText),
      Effect.orDie,
      Effect.provideContext(context)
    )
  }
  const text = yield* rule.change(readText(answer), { draw, call, url: request.url, answerTo })
  return text === undefined ? undefined : withText(answer, text)
})

/** Applies drawn rules to a request: before its answer and to it. They redeploy `games` or change the dialect `spoken`. */
const applyRules = (games: ReadonlyMap<string, LiveGame>, spoken: CurrentDialect) => {
  /** Returns true if a deployment went live. */
  const redeploy = Effect.fnUntraced(function* (rule: FaultRule & { readonly kind: "redeploy" }, call: FaultRequest) {
    const deploy = games.get(call.gameId ?? rule.game ?? "")?.deploy ?? Effect.undefined
    let moved = 0
    while (moved < (rule.steps ?? 1) && (yield* deploy) !== undefined) moved += 1
    return moved > 0
  })
  /** Applies a rule before the answer. Returns true if something changed, null if the rule waits for the answer. */
  const before = Effect.fnUntraced(function* (rule: FaultRule | TestRule, call: FaultRequest) {
    if ("change" in rule) return null
    if (rule.kind === "redeploy" && rule.when !== "after") return yield* redeploy(rule, call)
    if (rule.kind !== "dialect") return null
    const isAnother = rule.dialect !== spoken.wording.name
    spoken.wording = wordings[rule.dialect]
    return isAnother
  })
  /** Returns the faulty answer; undefined if the fault does not apply. Only successful answers are changed. */
  const strike = Effect.fnUntraced(function* <E, R>(
    app: Effect.Effect<Answer, E, R>,
    { answer, call, request }: Answered,
    { draw, rule }: DrawnFault
  ) {
    if (answer.status >= 300) return undefined
    if ("change" in rule) return yield* testAnswer(app, { answer, call, request }, { draw, rule })
    if (rule.kind === "reset") return yield* broken.resetBefore(request)
    if (rule.kind === "reset-body") return yield* broken.resetInBody(request, answer, draw)
    if (rule.kind === "delay") return yield* Effect.as(Effect.interruptible(Effect.sleep(rule.millis ?? 1000)), answer)
    if (rule.kind === "redeploy") return (yield* redeploy(rule, call)) ? answer : undefined
    return changes[rule.kind]?.(answer, rule as never, draw, call)
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
      const call = yield* readFaultRequest(request)
      if (call === undefined) return yield* app
      const atGate = Effect.provideService(app, HttpServerRequest.HttpServerRequest, harmless(request))
      const fault = ledger.draw(call)
      const left = revokedLeft.get(ledger) ?? 0
      if (left > 0) {
        revokedLeft.set(ledger, left - 1)
        fault?.passed()
        return broken.revoked(yield* atGate)
      }
      if (fault === undefined) return yield* app
      const { rule } = fault
      const end = (isDone: boolean) => (isDone ? fault.done() : fault.passed())
      const did = yield* before(rule, call)
      if (did !== null) {
        end(did)
        return yield* app
      }
      const isPayment = !("change" in rule) && rule.kind === "server-error" && rule.status === 502
      if (call.endpoint === "refunds" && isPayment) {
        yield* PaymentsFail.set(true)
        const answer = yield* app
        end(answer.status === 502)
        return answer
      }
      const answer = yield* isGate(rule) ? atGate : app
      const struck = yield* strike(app, { request, call, answer }, fault)
      end(struck !== undefined)
      if (struck !== undefined && !("change" in rule) && rule.kind === "revoked")
        revokedLeft.set(ledger, (rule.requests ?? Infinity) - 1)
      if (struck !== undefined) return struck
      return isGate(rule) ? yield* app : answer
    })
}
