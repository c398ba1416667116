import { Schema } from "effect"
import { GameId } from "./Catalogue.ts"

/**
 * Body of every answer that is not 2xx, as a client must expect it: any code, any data.
 * Spec: Errors; beyond the spec: section 2. Classify by `code` before `status`.
 */
export const ErrorEnvelope = Schema.Struct({
  code: Schema.String,
  status: Schema.Int,
  message: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
})
export type ErrorEnvelope = typeof ErrorEnvelope.Type

/** An error with a fixed status and code. `description` says when it comes, `data` its fields. */
export const problem =
  <Self>(name: string, description: string) =>
  <const Status extends number, const Code extends string, const Fields extends Schema.Struct.Fields>(
    status: Status,
    code: Code,
    data: Fields
  ) =>
    Schema.Error<Self>(name)(
      { code: Schema.tag(code), status: Schema.tag(status), message: Schema.String, data: Schema.Struct(data) },
      { httpApiStatus: status, description }
    )

/** Unknown input, or a body of another type; `data.field` names it. Beyond the spec: section 2, 400. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  {
    code: Schema.Literals(["BAD_REQUEST", "UNSUPPORTED_CONTENT_TYPE"]),
    status: Schema.Literal(400),
    message: Schema.String,
    data: Schema.Struct({ field: Schema.optionalKey(Schema.String) })
  },
  {
    httpApiStatus: 400,
    description:
      "Input that the operation does not take; `data.field` names the first such field. A body of another content type is `UNSUPPORTED_CONTENT_TYPE`."
  }
) {}

/** The key is missing, malformed, unknown or revoked; the service does not say which. Spec: Errors, 401. */
export class Unauthorized extends problem<Unauthorized>(
  "Unauthorized",
  "The key is missing, malformed, unknown or revoked; the service does not say which."
)(401, "UNAUTHORIZED", {}) {}

/** The key lacks a scope the endpoint requires. Spec: Errors, 403. */
export class Forbidden extends problem<Forbidden>(
  "Forbidden",
  "The key lacks the scope that the operation needs: `data.required`, and `data.granted` are those it has."
)(403, "FORBIDDEN", { required: Schema.Array(Schema.String), granted: Schema.Array(Schema.String) }) {}

/** The account has no access to the API at all. Beyond the spec: section 2, 403. */
export class ApiAccessDisabled extends problem<ApiAccessDisabled>(
  "ApiAccessDisabled",
  "The account has no access to the API."
)(403, "API_ACCESS_DISABLED", {}) {}

/** A body, or what is packed in it, that is too large. Beyond the spec: section 2, 413. */
export class PayloadTooLarge extends problem<PayloadTooLarge>(
  "PayloadTooLarge",
  "The body, or what is packed in it, is too large."
)(413, "PAYLOAD_TOO_LARGE", { maxBytes: Schema.Int, receivedBytes: Schema.Int }) {}

/** An id in the path that names nothing. Beyond the spec: section 2, not-found answers. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(
  {
    code: Schema.Literals(["GAME_NOT_FOUND", "PRODUCT_NOT_FOUND", "EXPANSION_NOT_FOUND", "NOT_FOUND"]),
    status: Schema.Literal(404),
    message: Schema.String,
    data: Schema.Struct({
      gameId: Schema.optionalKey(GameId),
      productId: Schema.optionalKey(Schema.Finite),
      expansionId: Schema.optionalKey(Schema.Finite),
      inventoryId: Schema.optionalKey(Schema.String),
      jobId: Schema.optionalKey(Schema.String),
      orderNumber: Schema.optionalKey(Schema.String),
      listingId: Schema.optionalKey(Schema.String),
      name: Schema.optionalKey(Schema.String)
    })
  },
  {
    httpApiStatus: 404,
    description: "An id in the address names nothing, or nothing of this account; `data` repeats it."
  }
) {}

/**
 * The game of a changelog is unknown. The operation has no 404: the code says what the
 * status does not. Spec: changelog, seven variants; beyond the spec: section 2.
 */
export class UnknownGame extends problem<UnknownGame>("UnknownGame", "There is no such game; `data` repeats its id.")(
  400,
  "GAME_NOT_FOUND",
  { gameId: GameId }
) {}

/** A rate bucket is empty; `retryAfter` is in seconds, like the header. Beyond the spec: sections 2 and 3. */
export class TooManyRequests extends problem<TooManyRequests>(
  "TooManyRequests",
  "A rate bucket is empty. Try again after `data.retryAfter` seconds, as in the header `Retry-After`."
)(429, "TOO_MANY_REQUESTS", { bucket: Schema.String, limit: Schema.Finite, retryAfter: Schema.Finite }) {}

/** The service broke; the message points at the request id. Beyond the spec: section 2, 500. */
export class InternalServerError extends problem<InternalServerError>(
  "InternalServerError",
  "The service broke. Report the header `X-Request-Id`."
)(500, "INTERNAL_SERVER_ERROR", {}) {}

/** The service is not ready; try again. Beyond the spec: section 2, 503. */
export class ServiceUnavailable extends problem<ServiceUnavailable>(
  "ServiceUnavailable",
  "The service is not ready; try again."
)(503, "SERVICE_UNAVAILABLE", {}) {}

/** An `Idempotency-Key` that came with another request. Ours, not the service's. Beyond the spec: section 1. */
export class IdempotencyKeyReused extends problem<IdempotencyKeyReused>(
  "IdempotencyKeyReused",
  "The `Idempotency-Key` came with another method, address or body before: `data.request`."
)(422, "IDEMPOTENCY_KEY_REUSED", { request: Schema.String }) {}

/** Errors that any operation may return besides its specific ones and the key's 401, 403 and 429. */
export const common = [BadRequest, InternalServerError, ServiceUnavailable] as const

/** The common errors of operations that write, which accept an `Idempotency-Key`. */
export const commonOfWrites = [...common, IdempotencyKeyReused] as const
