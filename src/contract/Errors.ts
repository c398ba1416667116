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

const nothing = Schema.Struct({})

/** Input that the operation does not take; `data.field` names it. Beyond the spec: section 2, 400. */
export class BadRequest extends Schema.Error<BadRequest>("BadRequest")(
  {
    code: Schema.Literal("BAD_REQUEST"),
    status: Schema.Literal(400),
    message: Schema.String,
    data: Schema.Struct({ field: Schema.optionalKey(Schema.String) })
  },
  { httpApiStatus: 400 }
) {}

/** The key is missing, malformed, unknown or revoked; the service does not say which. Spec: Errors, 401. */
export class Unauthorized extends Schema.Error<Unauthorized>("Unauthorized")(
  { code: Schema.Literal("UNAUTHORIZED"), status: Schema.Literal(401), message: Schema.String, data: nothing },
  { httpApiStatus: 401 }
) {}

/** The key lacks a scope the endpoint requires. Spec: Errors, 403. */
export class Forbidden extends Schema.Error<Forbidden>("Forbidden")(
  {
    code: Schema.Literal("FORBIDDEN"),
    status: Schema.Literal(403),
    message: Schema.String,
    data: Schema.Struct({ required: Schema.Array(Schema.String), granted: Schema.Array(Schema.String) })
  },
  { httpApiStatus: 403 }
) {}

/** An id in the path that names nothing. Beyond the spec: section 2, not-found answers. */
export class NotFound extends Schema.Error<NotFound>("NotFound")(
  {
    code: Schema.Literals(["GAME_NOT_FOUND", "PRODUCT_NOT_FOUND", "EXPANSION_NOT_FOUND", "NOT_FOUND"]),
    status: Schema.Literal(404),
    message: Schema.String,
    data: Schema.Struct({
      gameId: Schema.optionalKey(GameId),
      productId: Schema.optionalKey(Schema.Finite),
      expansionId: Schema.optionalKey(Schema.String)
    })
  },
  { httpApiStatus: 404 }
) {}

/** A rate bucket is empty; `retryAfter` is in seconds, as the `Retry-After` header. Beyond the spec: sections 2 and 3. */
export class TooManyRequests extends Schema.Error<TooManyRequests>("TooManyRequests")(
  {
    code: Schema.Literal("TOO_MANY_REQUESTS"),
    status: Schema.Literal(429),
    message: Schema.String,
    data: Schema.Struct({ bucket: Schema.String, limit: Schema.Finite, retryAfter: Schema.Finite })
  },
  { httpApiStatus: 429 }
) {}

/** The service broke; the message points at the request id. Beyond the spec: section 2, 500. */
export class InternalServerError extends Schema.Error<InternalServerError>("InternalServerError")(
  { code: Schema.Literal("INTERNAL_SERVER_ERROR"), status: Schema.Literal(500), message: Schema.String, data: nothing },
  { httpApiStatus: 500 }
) {}

/** The service is not ready; try again. Beyond the spec: section 2, 503. */
export class ServiceUnavailable extends Schema.Error<ServiceUnavailable>("ServiceUnavailable")(
  { code: Schema.Literal("SERVICE_UNAVAILABLE"), status: Schema.Literal(503), message: Schema.String, data: nothing },
  { httpApiStatus: 503 }
) {}
