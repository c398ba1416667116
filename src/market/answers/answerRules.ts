import { Cause, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { newRateNote, RateNote } from "../limits/RateNote.ts"
import { errorAnswer, unsupportedContentType } from "./errorAnswer.ts"

/**
 * What every answer of the marketplace carries: `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining`, with
 * a 429 also `Retry-After`, and the documented envelope for whatever failed. Beyond the spec: sections 1 and 2.
 */
export const answerRules = (limit: number) => {
  let answered = 0
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const requestId = `req_${(++answered).toString(36).padStart(8, "0")}`
      const note = newRateNote()
      const answer = yield* Effect.matchCauseEffect(Effect.provideService(app, RateNote, note), {
        onFailure: (cause) => {
          const answer = errorAnswer(cause, requestId)
          return Effect.as(
            answer.status === 500 && !Cause.hasInterruptsOnly(cause) ? Effect.logError(requestId, cause) : Effect.void,
            answer
          )
        },
        onSuccess: (response) =>
          response.status === 415
            ? Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
                unsupportedContentType(headers["content-type"]?.split(";")[0])
              )
            : Effect.succeed(response)
      })
      return HttpServerResponse.setHeaders(answer, {
        "x-request-id": requestId,
        "x-ratelimit-limit": String(limit),
        "x-ratelimit-remaining": String(note.bucket?.remaining() ?? limit),
        ...(note.retryAfter > 0 ? { "retry-after": String(note.retryAfter) } : {})
      })
    })
}
