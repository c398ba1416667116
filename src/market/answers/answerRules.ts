import { Cause, Effect, SchemaIssue } from "effect"
import { HttpServerRequest, HttpServerResponse, HttpServerError, HttpRouter } from "effect/http"
import { RateNote } from "../limits/RateBucket.ts"
import { HttpApiError } from "effect/http-api"
import { DiskFull } from "./refusals.ts"
import type { ErrorEnvelope } from "../../feed/contract/Errors.ts"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { senderOf } from "../../feed/guard/senderOf.ts"

/**
 * An error as every operation returns it, if the contract has no error class for it. Beyond the spec: section 2.
 */
export const envelopeAnswer = (
  status: number,
  { code, data = {}, message }: Pick<ErrorEnvelope, "code" | "message"> & Partial<Pick<ErrorEnvelope, "data">>
) => HttpServerResponse.jsonUnsafe({ code, status, message, data } satisfies ErrorEnvelope, { status })

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Names the first field that the contract refuses; a body that is not JSON is the field `body`. */
const refusedInput = ({ kind, cause }: HttpApiError.HttpApiSchemaError) => {
  const [first] = issuesOf(cause.issue).issues
  const path = first?.path?.map((key) => String(typeof key === "object" ? key.key : key)) ?? []
  const field = path.length === 0 ? (kind === "Payload" ? "body" : kind.toLowerCase()) : path.join(".")
  return envelopeAnswer(400, {
    code: "BAD_REQUEST",
    message: `${field}: ${first?.message ?? "not accepted"}`,
    data: { field }
  })
}

/** The answer if no handler gave one: no such route, refused input, a defect. Beyond the spec: section 2. */
const errorAnswer = (cause: Cause.Cause<unknown>, requestId: string): HttpServerResponse.HttpServerResponse => {
  const error = Cause.squash(cause)
  if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
    return refusedInput(error)
  }
  if (error instanceof HttpServerError.HttpServerError) {
    const { reason } = error
    if (reason._tag === "RouteNotFound") {
      const message = `No such operation: ${reason.request.method} ${reason.request.url}`
      return envelopeAnswer(404, { code: "NOT_FOUND", message })
    }
    if (reason._tag === "RequestParseError") {
      return reason.reason === "BodyTooLarge"
        ? envelopeAnswer(413, { code: "PAYLOAD_TOO_LARGE", message: "The body is too large" })
        : envelopeAnswer(400, { code: "BAD_REQUEST", message: "body: cannot be read", data: { field: "body" } })
    }
  }
  if (error instanceof DiskFull) return envelopeAnswer(503, { code: "SERVICE_UNAVAILABLE", message: error.message })
  return envelopeAnswer(500, { code: "INTERNAL_SERVER_ERROR", message: `The sandbox failed; request id ${requestId}` })
}

/** The same envelope for the one refusal that the HTTP layer answers without it. */
const unsupportedContentType = (contentType: string | undefined) =>
  envelopeAnswer(400, {
    code: "UNSUPPORTED_CONTENT_TYPE",
    message: `content-type: ${contentType ?? "none"} is not what this operation takes`,
    data: { field: "content-type" }
  })

/**
 * What every answer of the marketplace carries: `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining`, with
 * a 429 also `Retry-After`, and the documented envelope for whatever failed. Beyond the spec: sections 1 and 2.
 */
export const answerRules = (limit: number) => {
  let answered = 0
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const requestId = `req_${(++answered).toString(36).padStart(8, "0")}`
      const note: RateNote = { bucket: undefined, retryAfter: 0 }
      yield* RateNote.set(note)
      const answer = yield* Effect.matchCauseEffect(app, {
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

type Answer = HttpServerResponse.HttpServerResponse

/**
 * Answers requests under this machine's own names and those `allowed`, and refuses any other before anything counts it;
 * `withRules` gives the refusal what every answer has.
 */
export const guardHost = (
  allowed: ReadonlyArray<string>,
  withRules: (refused: Effect.Effect<Answer>) => Effect.Effect<Answer, never, HttpServerRequest.HttpServerRequest>
) => {
  const faultOf = hostFault(allowed)
  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const message = faultOf(yield* HttpServerRequest.HttpServerRequest)
      if (message === null) return yield* app
      return yield* withRules(Effect.succeed(envelopeAnswer(403, { code: "HOST_NOT_ALLOWED", message })))
    })
}

const foreignPage = envelopeAnswer(403, {
  code: "FOREIGN_PAGE",
  message:
    "A page of another site cannot use the control routes. Type the address yourself, or ask from a program or the control room"
})

/** No other site may load, embed or guess the type of an answer. */
const headers = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" }

/** Routes that have no key are for programs, for the person at this machine, and for the sandbox's own page. */
export const ownPages = HttpRouter.middleware((app) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    senderOf(request) === "other page"
      ? Effect.succeed(foreignPage)
      : Effect.map(app, HttpServerResponse.setHeaders(headers))
  )
).layer
