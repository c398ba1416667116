import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { PaymentsFail } from "../orders/refundOrder.ts"
import { type Spoken, wordings } from "../wording/Wording.ts"
import { type AskedRequest, askedRequest } from "./askedRequest.ts"
import {
  deadLink,
  declaredGzip,
  emptyBody,
  feedNotGenerated,
  htmlPage,
  invalidGzip,
  invalidJson,
  strangeFiles,
  truncatedBody,
  drip,
  resetBefore,
  resetInBody,
  notFound500,
  rateLimited,
  revoked,
  serverError,
  withRulesOf
} from "./brokenAnswers.ts"
import type { DrawnFault, FaultLedger, Faults } from "./Faults.ts"
import { readPageText, type OtherPage, otherPageOf, pagesAway, strangePage, withRecordsOf } from "./strangePage.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { requestWith, textOf, withText } from "../answers/wire.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** A request and the answer that it would have had. */
interface Answered {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly asked: AskedRequest
  readonly answer: Answer
}

/** Refused at the marketplace's gate: the request is not carried out. */
const isGate = ({ kind }: FaultRule): boolean => kind === "rate-limited" || kind === "revoked"

/** A request that passes the same gate, and changes nothing. */
const harmless = (request: HttpServerRequest.HttpServerRequest) =>
  requestWith(request, { method: "GET", url: "/v1/games" })

/** The same request for another page. */
const askedAt = (request: HttpServerRequest.HttpServerRequest, { body, url }: OtherPage) =>
  requestWith(request, { url, ...(body === undefined ? {} : { text: Effect.succeed(body) }) })

/** An answer that a rule changes; undefined if the rule does not apply to it. */
const changedAnswer = ({ answer, asked }: Answered, fault: DrawnFault): Answer | undefined => {
  const { draw, rule } = fault
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
      return withRulesOf(answer, rateLimited(rule, answer, draw))
    case "server-error":
      return withRulesOf(answer, serverError(rule, answer, draw))
    case "not-found-500":
      return withRulesOf(answer, notFound500(asked))
    case "revoked":
      return withRulesOf(answer, revoked())
    case "dead-link":
      return deadLink
    case "declared-gzip":
      return declaredGzip(answer)
    case "feed-not-generated":
      return withRulesOf(answer, feedNotGenerated(asked.gameId))
    case "wrong-checksum":
    case "wrong-count":
    case "null-feed":
      return asked.endpoint === "feeds" ? strangeFiles(answer, rule) : undefined
    default: {
      const text = strangePage(textOf(answer), fault)
      return text === undefined ? undefined : withText(answer, text)
    }
  }
}

/** The records of another page in place of its own; undefined if there is no such page. */
const otherPage = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<Answer, E, R>,
  { answer, asked, request }: Answered,
  away: number
) {
  const text = textOf(answer)
  const limit = Number(readPageText(text)?.pagination?.["limit"])
  const page = Number.isInteger(limit) ? otherPageOf(request.url, asked, { limit, away }) : undefined
  if (page === undefined) return undefined
  const other = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, askedAt(request, page))
  const changed = withRecordsOf(text, textOf(other))
  return changed === undefined ? undefined : withText(answer, changed)
})

/** Rules that act beside the answers: they move `games` to later deployments, or another dialect is `spoken`. */
const rulesBeside = (games: ReadonlyMap<string, LiveGame>, spoken: Spoken) => {
  /** True if the game moved. */
  const redeploy = Effect.fnUntraced(function* (rule: FaultRule & { readonly kind: "redeploy" }, asked: AskedRequest) {
    const deploy = games.get(asked.gameId ?? rule.game ?? "")?.deploy ?? Effect.undefined
    let moved = 0
    while (moved < (rule.steps ?? 1) && (yield* deploy) !== undefined) moved += 1
    return moved > 0
  })
  /** What a rule does before the request is answered: true if it changed anything; null if it waits for the answer. */
  const before = Effect.fnUntraced(function* (rule: FaultRule, asked: AskedRequest) {
    if (rule.kind === "redeploy" && rule.when !== "after") return yield* redeploy(rule, asked)
    if (rule.kind !== "dialect") return null
    const isAnother = rule.dialect !== spoken.wording.name
    spoken.wording = wordings[rule.dialect]
    return isAnother
  })
  return { redeploy, before }
}

/**
 * One layer around the whole sandbox: every request of the marketplace is counted in the
 * ledger while faults are on, and the fault drawn for it happens to its answer. A redeploy moves `games`, a dialect is `spoken`.
 */
export const faultyAnswers = (faults: Faults["Service"], games: ReadonlyMap<string, LiveGame>, spoken: Spoken) => {
  /** Answers 401 that are left of a key that a plan revoked; another plan knows nothing of it. */
  const revokedLeft = new WeakMap<FaultLedger, number>()
  const { before, redeploy } = rulesBeside(games, spoken)

  /** The faulty answer; undefined if the fault does not apply. Only a success can be made worse. */
  const strike = Effect.fnUntraced(function* <E, R>(
    app: Effect.Effect<Answer, E, R>,
    answered: Answered,
    fault: DrawnFault
  ) {
    const { answer, asked, request } = answered
    const { draw, rule } = fault
    if (answer.status >= 300) return undefined
    if (rule.kind === "reset") return yield* resetBefore(request)
    if (rule.kind === "reset-body") return yield* resetInBody(request, answer, draw)
    if (rule.kind === "delay") return yield* Effect.as(Effect.interruptible(Effect.sleep(rule.millis ?? 1000)), answer)
    if (rule.kind === "redeploy") return (yield* redeploy(rule, asked)) ? answer : undefined
    if (rule.kind === "page-twice" || rule.kind === "page-skipped")
      return yield* otherPage(app, answered, pagesAway[rule.kind])
    return changedAnswer(answered, fault)
  })

  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const ledger = faults.current()
      if (ledger === undefined) return yield* app
      const asked = yield* askedRequest(request)
      if (asked === undefined) return yield* app
      const atGate = Effect.provideService(app, HttpServerRequest.HttpServerRequest, harmless(request))
      const fault = ledger.draw(asked)
      const left = revokedLeft.get(ledger) ?? 0
      if (left > 0) {
        revokedLeft.set(ledger, left - 1)
        fault?.passed()
        return withRulesOf(yield* atGate, revoked())
      }
      if (fault === undefined) return yield* app
      const { rule } = fault
      const end = (isDone: boolean) => (isDone ? fault.done() : fault.passed())
      const did = yield* before(rule, asked)
      if (did !== null) {
        end(did)
        return yield* app
      }
      if (asked.endpoint === "refunds" && rule.kind === "server-error" && rule.status === 502) {
        yield* PaymentsFail.set(true)
        const answer = yield* app
        end(answer.status === 502)
        return answer
      }
      const answer = yield* isGate(rule) ? atGate : app
      const struck = yield* strike(app, { request, asked, answer }, fault)
      end(struck !== undefined)
      if (struck !== undefined && rule.kind === "revoked") revokedLeft.set(ledger, (rule.requests ?? Infinity) - 1)
      if (struck !== undefined) return struck
      return isGate(rule) ? yield* app : answer
    })
}
