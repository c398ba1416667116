import { Headers, HttpServerRequest, HttpServerResponse, HttpServerError, HttpRouter } from "effect/http"
import { Cause, Effect } from "effect"
import { HttpApi, HttpApiError, type HttpApiGroup } from "effect/http-api"
import { requestWith, type Answer, type Incoming } from "./wire.ts"
import { RateNote } from "../limits/RateBucket.ts"
import { DiskFull, firstFault } from "./refusals.ts"
import type { ErrorEnvelope } from "../../feed/contract/Errors.ts"
import { hostFault } from "../../feed/guard/hostFault.ts"
import { classifySender } from "../../feed/guard/classifySender.ts"

/** Returns an error in the documented envelope, for codes without an error class. Beyond the spec: section 2. */
export const envelopeAnswer = (
  status: number,
  { code, data = {}, message }: Pick<ErrorEnvelope, "code" | "message"> & Partial<Pick<ErrorEnvelope, "data">>
) => HttpServerResponse.jsonUnsafe({ code, status, message, data } satisfies ErrorEnvelope, { status })

/** Returns the first field that the contract refuses; `body` for a body that is not JSON. */
const refusedInput = ({ kind, cause }: HttpApiError.HttpApiSchemaError) => {
  const { path, reason = "not accepted" } = firstFault(cause.issue)
  const field = path === "" ? (kind === "Payload" ? "body" : kind.toLowerCase()) : path
  return envelopeAnswer(400, { code: "BAD_REQUEST", message: `${field}: ${reason}`, data: { field } })
}

/** An address of an operation, and a method that it takes. */
type DeclaredRoute = readonly [address: RegExp, method: string]

/** Returns the routes of an API. */
export const declaredRoutes = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<DeclaredRoute> => {
  const routes: Array<DeclaredRoute> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) =>
      void routes.push([new RegExp(`^${path.replaceAll(/:[^/]+/g, "[^/]+")}$`), method])
  })
  return routes
}

/** Refuses a request whose address no operation has, or none with this method. */
const noRoute = ({ method, url }: Incoming, routes: ReadonlyArray<DeclaredRoute>) => {
  const [pathname = ""] = url.split("?")
  const declared = routes.flatMap(([address, taken]) => (address.test(pathname) ? [taken] : []))
  const allowed = [...new Set(declared.flatMap((taken) => (taken === "GET" ? [taken, "HEAD"] : [taken])))].toSorted()
  if (allowed.length === 0) {
    return envelopeAnswer(404, { code: "NOT_FOUND", message: `No such operation: ${method} ${url}` })
  }
  const message = `${pathname} does not take ${method}, but ${allowed.join(", ")}`
  const answer = envelopeAnswer(405, { code: "METHOD_NOT_ALLOWED", message, data: { allowed } })
  return HttpServerResponse.setHeader(answer, "allow", allowed.join(", "))
}

/** Returns the answer when no handler gave one: unknown route, refused input or defect. Beyond the spec: section 2. */
const errorAnswer = (cause: Cause.Cause<unknown>, requestId: string, routes: ReadonlyArray<DeclaredRoute>): Answer => {
  const error = Cause.squash(cause)
  if (HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders") {
    return refusedInput(error)
  }
  if (error instanceof HttpServerError.HttpServerError) {
    const { reason } = error
    if (reason._tag === "RouteNotFound") return noRoute(reason.request, routes)
    if (reason._tag === "RequestParseError") {
      return reason.reason === "BodyTooLarge"
        ? envelopeAnswer(413, { code: "PAYLOAD_TOO_LARGE", message: "The body is too large" })
        : envelopeAnswer(400, { code: "BAD_REQUEST", message: "body: cannot be read", data: { field: "body" } })
    }
  }
  if (error instanceof DiskFull) return envelopeAnswer(503, { code: "SERVICE_UNAVAILABLE", message: error.message })
  return envelopeAnswer(500, { code: "INTERNAL_SERVER_ERROR", message: `The sandbox failed; request id ${requestId}` })
}

/** Returns the envelope for the one refusal that the HTTP layer answers without it. */
const unsupportedContentType = (contentType: string | undefined) =>
  envelopeAnswer(400, {
    code: "UNSUPPORTED_CONTENT_TYPE",
    message: `content-type: ${contentType ?? "none"} is not what this operation takes`,
    data: { field: "content-type" }
  })

/**
 * Adds what every answer carries: `X-Request-Id`, `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `Retry-After` with a
 * 429, and the documented envelope of failures. Beyond the spec: sections 1 and 2.
 */
export const answerRules = (limit: number, routes: ReadonlyArray<DeclaredRoute>) => {
  let answered = 0
  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const requestId = `req_${(++answered).toString(36).padStart(8, "0")}`
      const note: RateNote = { bucket: undefined, retryAfter: 0 }
      yield* RateNote.set(note)
      const answer = yield* Effect.matchCauseEffect(app, {
        onFailure: (cause) => {
          const answer = errorAnswer(cause, requestId, routes)
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

const inBrackets = /(?<=[?&][^=&?[\]%]+)(?:\[|%5b)\d*(?:\]|%5d)(?==)/gi

/** Rewrites `status[]=a` and `status[0]=a` to `status=a`, but not `metadata[key]=a`. Beyond the spec: section 1. */
export const plainQuery = <E, R>(app: Effect.Effect<Answer, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!/\[|%5b/i.test(request.url)) return app
    const url = request.url.replaceAll(inBrackets, "")
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, requestWith(request, { url }))
  })

const isSent = (headers: Headers.Headers): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/**
 * Ignores a body without a type. The HTTP layer would read it as JSON, and any web page can send one without
 * permission.
 */
export const typedBody = <E, R>(app: Effect.Effect<Answer, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const { headers } = request
    if (headers["content-type"] !== undefined || !isSent(headers)) return app
    const typed = requestWith(request, { headers: Headers.set(headers, "content-type", "") })
    return Effect.provideService(app, HttpServerRequest.HttpServerRequest, typed)
  })

/**
 * Refuses requests whose host is neither this machine's nor in `allowed`, before anything counts them. `withRules` adds
 * the common headers to the refusal.
 */
export const guardHost = (
  allowed: ReadonlyArray<string>,
  withRules: (refused: Effect.Effect<Answer>) => Effect.Effect<Answer, never, Incoming>
) => {
  const findFault = hostFault(allowed)
  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const message = findFault(yield* HttpServerRequest.HttpServerRequest)
      if (message === null) return yield* app
      return yield* withRules(Effect.succeed(envelopeAnswer(403, { code: "HOST_NOT_ALLOWED", message })))
    })
}

const foreignPage = envelopeAnswer(403, {
  code: "FOREIGN_PAGE",
  message:
    "A page of another site cannot use the control routes. Type the address yourself, or ask from a program or the control room"
})

/** Other sites may not load, embed or sniff an answer. */
const headers = { "cross-origin-resource-policy": "same-origin", "x-content-type-options": "nosniff" }

/** Allows keyless routes only to programs, to this machine's user and to the sandbox's own pages. */
export const ownPages = HttpRouter.middleware((app) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    classifySender(request) === "other page"
      ? Effect.succeed(foreignPage)
      : Effect.map(app, HttpServerResponse.setHeaders(headers))
  )
).layer
