import { Cause, SchemaIssue } from "effect"
import { HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { ErrorEnvelope } from "../../contract/Errors.ts"

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

const envelope = (status: number, code: string, message: string, data: ErrorEnvelope["data"] = {}) =>
  HttpServerResponse.jsonUnsafe({ code, status, message, data } satisfies ErrorEnvelope, { status })

/** Names the first field that the contract refuses; a body that is no JSON is the field `body`. */
const refusedInput = ({ kind, cause }: HttpApiError.HttpApiSchemaError) => {
  const [first] = issuesOf(cause.issue).issues
  const path = first?.path?.map((key) => String(typeof key === "object" ? key.key : key)) ?? []
  const field = path.length === 0 ? (kind === "Payload" ? "body" : kind.toLowerCase()) : path.join(".")
  return envelope(400, "BAD_REQUEST", `${field}: ${first?.message ?? "not accepted"}`, { field })
}

/** An answer for what no handler answered: no such route, refused input, a defect. Beyond the spec: section 2. */
export const errorAnswer = (cause: Cause.Cause<unknown>, requestId: string): HttpServerResponse.HttpServerResponse => {
  const error = Cause.squash(cause)
  if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
    return refusedInput(error)
  }
  if (error instanceof HttpServerError.HttpServerError) {
    const { reason } = error
    if (reason._tag === "RouteNotFound") {
      return envelope(404, "NOT_FOUND", `No such operation: ${reason.request.method} ${reason.request.url}`)
    }
    if (reason._tag === "RequestParseError") {
      return reason.reason === "BodyTooLarge"
        ? envelope(413, "PAYLOAD_TOO_LARGE", "The body is too large")
        : envelope(400, "BAD_REQUEST", "body: cannot be read", { field: "body" })
    }
  }
  return envelope(500, "INTERNAL_SERVER_ERROR", `The sandbox failed; request id ${requestId}`)
}

/** The same envelope for the one refusal that the HTTP layer answers without a body. */
export const unsupportedContentType = envelope(
  400,
  "UNSUPPORTED_CONTENT_TYPE",
  "content-type: expected application/json",
  {
    field: "content-type"
  }
)
