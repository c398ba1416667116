import { Cause, SchemaIssue } from "effect"
import { HttpServerError, type HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { DiskFull } from "./DiskFull.ts"
import { envelopeAnswer } from "./envelopeAnswer.ts"

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
export const errorAnswer = (cause: Cause.Cause<unknown>, requestId: string): HttpServerResponse.HttpServerResponse => {
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
  return envelopeAnswer(500, {
    code: "INTERNAL_SERVER_ERROR",
    message: `The sandbox failed; request id ${requestId}`
  })
}

/** The same envelope for the one refusal that the HTTP layer answers without it. */
export const unsupportedContentType = (contentType: string | undefined) =>
  envelopeAnswer(400, {
    code: "UNSUPPORTED_CONTENT_TYPE",
    message: `content-type: ${contentType ?? "none"} is not what this operation takes`,
    data: { field: "content-type" }
  })
