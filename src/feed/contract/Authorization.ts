import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ApiAccessDisabled, Forbidden, TooManyRequests, Unauthorized } from "./Errors.ts"

/** Whose key a request came with, and what it may do; `*` grants everything. Spec: Authentication. */
export class Caller extends Context.Service<
  Caller,
  { readonly accountId: string; readonly scopes: ReadonlyArray<string> }
>()("cardlake/contract/Caller") {}

/**
 * Every request carries `Authorization: Bearer <API_KEY>`, and the key has the scope that the operation requires.
 * Spec: Authentication, 1 to 5.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "cardlake/contract/Authorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, ApiAccessDisabled, TooManyRequests]
  }
) {}
