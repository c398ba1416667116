import { HttpServerResponse } from "effect/http"
import { envelopeAnswer } from "../answers/answerRules.ts"
import type { AskedRequest } from "./askedRequest.ts"
import type { DrawnFault } from "./Faults.ts"
import type { FaultRule } from "./FaultPlan.ts"
import { pick } from "../catalogue/seededNumber.ts"

type Rule<Kind extends FaultRule["kind"]> = Extract<FaultRule, { readonly kind: Kind }>

/** 429 as documented; its limit is that of the clean answer's headers. Beyond the spec: section 2. */
export const rateLimited = (
  { header, limit, retryAfter = 1 }: Rule<"rate-limited">,
  clean: HttpServerResponse.HttpServerResponse,
  draw: DrawnFault["draw"]
) => {
  const data = { bucket: "global", limit: limit ?? Number(clean.headers["x-ratelimit-limit"]), retryAfter }
  const answer = envelopeAnswer(429, {
    code: "TOO_MANY_REQUESTS",
    message: `Bucket global is empty, try again in ${retryAfter} s`,
    data
  })
  return (header ?? draw("header") < 0.5)
    ? HttpServerResponse.setHeader(answer, "retry-after", String(retryAfter))
    : answer
}

const serverCodes = { 500: "INTERNAL_SERVER_ERROR", 502: "BAD_GATEWAY", 503: "SERVICE_UNAVAILABLE" } as const

/** A 5xx, with the envelope, whose message names the request, or as a proxy in front of the service writes it. */
export const serverError = (
  rule: Rule<"server-error">,
  clean: HttpServerResponse.HttpServerResponse,
  draw: DrawnFault["draw"]
) => {
  const message = `The sandbox was told to fail; request id ${clean.headers["x-request-id"] ?? "unknown"}`
  const status = rule.status ?? pick([500, 502, 503] as const, draw("status")) ?? 500
  return (rule.envelope ?? draw("envelope") < 0.5)
    ? envelopeAnswer(status, { code: serverCodes[status], message })
    : HttpServerResponse.text(`<html><body>${status}</body></html>`, { status, contentType: "text/html" })
}

/** A permanent not-found that comes as 500. Beyond the spec: section 2. */
export const notFound500 = ({ endpoint, gameId }: AskedRequest) => {
  const code =
    endpoint === "product" || endpoint === "products"
      ? "PRODUCT_NOT_FOUND"
      : endpoint === "expansion"
        ? "EXPANSION_NOT_FOUND"
        : "GAME_NOT_FOUND"
  return envelopeAnswer(500, { code, message: code, data: gameId === undefined ? {} : { gameId } })
}

/** What every answer carries, an injected one too: the request id and the rate limit. */
export const withRulesOf = (
  clean: HttpServerResponse.HttpServerResponse,
  answer: HttpServerResponse.HttpServerResponse
) =>
  HttpServerResponse.setHeaders(
    answer,
    Object.fromEntries(Object.entries(clean.headers).filter(([name]) => /^x-(request-id|ratelimit-)/.test(name)))
  )

/** 401 without a reason. Spec: Errors, 401. */
export const revoked = () => envelopeAnswer(401, { code: "UNAUTHORIZED", message: "Unauthorized" })
