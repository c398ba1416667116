import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { PaymentsFail } from "../orders/refundOrder.ts"
import { type Spoken, wordings } from "../wording/Wording.ts"
import { type AskedRequest, askedRequest } from "./askedRequest.ts"
import { emptyBody, htmlPage, invalidGzip, invalidJson, truncatedBody } from "./brokenBody.ts"
import { drip, resetBefore, resetInBody } from "./cutConnection.ts"
import type { DrawnFault, FaultLedger } from "./FaultLedger.ts"
import type { Faults } from "./Faults.ts"
import { readPageText } from "./PageText.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { deadLink, declaredGzip, feedNotGenerated, strangeFiles } from "./faultyFeeds.ts"
import { notFound500, rateLimited, revoked, serverError, withRulesOf } from "./refusedAnswer.ts"
import { type OtherPage, otherPageOf, pagesAway, strangePage, withRecordsOf } from "./strangePage.ts"
import { textOf, withText } from "../answers/wireBody.ts"

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
const harmless = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest =>
  Object.create(request, { method: { value: "GET" }, url: { value: "/v1/games" } })

/** The same request for another page. A copy that shares what else was read of it. */
const askedAt = (
  request: HttpServerRequest.HttpServerRequest,
  { body, url }: OtherPage
): HttpServerRequest.HttpServerRequest =>
  Object.create(request, {
    url: { value: url },
    ...(body === undefined ? {} : { text: { value: Effect.succeed(body) } })
  })

/**
 * One layer around the whole sandbox: every request of the marketplace is counted in the
 * ledger while faults are on, and the fault drawn for it happens to its answer. A redeploy moves `games`, a dialect is `spoken`.
 */
export const faultyAnswers = (faults: Faults["Service"], games: ReadonlyMap<string, LiveGame>, spoken: Spoken) => {
  /** Answers 401 that are left of a key that a plan revoked; another plan knows nothing of it. */
  const revokedLeft = new WeakMap<FaultLedger, number>()

  const redeploy = Effect.fnUntraced(function* (gameId: string | undefined, steps: number) {
    const deploy = games.get(gameId ?? "")?.deploy ?? Effect.undefined
    let moved = 0
    while (moved < steps && (yield* deploy) !== undefined) moved += 1
    return moved > 0
  })

  return <E, R>(app: Effect.Effect<Answer, E, R>) => {
    const atGate = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.provideService(app, HttpServerRequest.HttpServerRequest, harmless(request))

    const otherPage = Effect.fnUntraced(function* ({ answer, asked, request }: Answered, away: number) {
      const text = textOf(answer)
      const limit = Number(readPageText(text)?.pagination?.["limit"])
      const page = Number.isInteger(limit) ? otherPageOf(request.url, asked, { limit, away }) : undefined
      if (page === undefined) return undefined
      const other = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, askedAt(request, page))
      return withRecordsOf(text, textOf(other))
    })

    /** The faulty answer; undefined if the fault does not apply. Only a success can be made worse. */
    const strike = Effect.fnUntraced(function* (answered: Answered, fault: DrawnFault, ledger: FaultLedger) {
      const { answer, asked, request } = answered
      const { draw, rule } = fault
      switch (rule.kind) {
        case "reset":
          return yield* resetBefore(request)
        case "reset-body":
          return yield* resetInBody(request, answer, draw)
        case "delay":
          return yield* Effect.as(Effect.interruptible(Effect.sleep(rule.millis ?? 1000)), answer)
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
          revokedLeft.set(ledger, (rule.requests ?? Infinity) - 1)
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
        case "redeploy":
          return (yield* redeploy(asked.gameId ?? rule.game, rule.steps ?? 1)) ? answer : undefined
        default: {
          const text =
            rule.kind === "page-twice" || rule.kind === "page-skipped"
              ? yield* otherPage(answered, pagesAway[rule.kind])
              : strangePage(textOf(answer), fault)
          return text === undefined ? undefined : withText(answer, text)
        }
      }
    })

    return Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const ledger = faults.current()
      if (ledger === undefined) return yield* app
      const asked = yield* askedRequest(request)
      if (asked === undefined) return yield* app
      const fault = ledger.draw(asked)
      const left = revokedLeft.get(ledger) ?? 0
      if (left > 0) {
        revokedLeft.set(ledger, left - 1)
        fault?.passed()
        return withRulesOf(yield* atGate(request), revoked())
      }
      if (fault === undefined) return yield* app
      const { rule } = fault
      if (rule.kind === "dialect") {
        if (rule.dialect === spoken.wording.name) fault.passed()
        else fault.done()
        spoken.wording = wordings[rule.dialect]
        return yield* app
      }
      if (rule.kind === "redeploy" && rule.when !== "after") {
        if (yield* redeploy(asked.gameId ?? rule.game, rule.steps ?? 1)) fault.done()
        else fault.passed()
        return yield* app
      }
      if (asked.endpoint === "refunds" && rule.kind === "server-error" && rule.status === 502) {
        yield* PaymentsFail.set(true)
        const answer = yield* app
        if (answer.status === 502) fault.done()
        else fault.passed()
        return answer
      }
      const answer = yield* isGate(rule) ? atGate(request) : app
      const struck = answer.status < 300 ? yield* strike({ request, asked, answer }, fault, ledger) : undefined
      if (struck !== undefined) {
        fault.done()
        return struck
      }
      fault.passed()
      return isGate(rule) ? yield* app : answer
    })
  }
}
