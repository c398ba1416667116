import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { TooManyRequests, Unauthorized } from "./Errors.ts"

/** The scopes of the key that the request came with; `*` grants everything. Spec: Authentication. */
export class Scopes extends Context.Service<Scopes, ReadonlyArray<string>>()("cardlake/contract/Scopes") {}

/** Every request carries `Authorization: Bearer <API_KEY>`. Spec: Authentication, 1 to 4. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Scopes }>()(
  "cardlake/contract/Authorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, TooManyRequests]
  }
) {}
