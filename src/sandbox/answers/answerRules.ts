import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { errorAnswer, unsupportedContentType } from "./errorAnswer.ts"
import type { RateBucket } from "../limits/RateBucket.ts"

/**
 * What every answer of the marketplace carries: `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining`, with a 429
 * also `Retry-After`, and the documented envelope for whatever failed. Beyond the spec: sections 1 and 2.
 */
export const answerRules = (bucket: RateBucket) => {
  let answered = 0
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const requestId = `req_${(++answered).toString(36).padStart(8, "0")}`
      const answer = yield* Effect.matchCauseEffect(app, {
        onFailure: (cause) => {
          const answer = errorAnswer(cause, requestId)
          return Effect.as(
            answer.status === 500 && !Cause.hasInterruptsOnly(cause) ? Effect.logError(requestId, cause) : Effect.void,
            answer
          )
        },
        onSuccess: (response) => Effect.succeed(response.status === 415 ? unsupportedContentType : response)
      })
      return HttpServerResponse.setHeaders(answer, {
        "x-request-id": requestId,
        "x-ratelimit-limit": String(bucket.limit),
        "x-ratelimit-remaining": String(bucket.remaining()),
        ...(answer.status === 429 ? { "retry-after": String(bucket.retryAfter()) } : {})
      })
    })
}
