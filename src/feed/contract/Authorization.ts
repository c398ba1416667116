import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { ApiAccessDisabled, Forbidden, TooManyRequests, Unauthorized } from "./Errors.ts"

/** Whose key a request came with, and what it may do; `*` grants everything. Spec: Authentication. */
export class Caller extends Context.Service<
  Caller,
  { readonly accountId: string; readonly scopes: ReadonlyArray<string> }
>()("cardlake/contract/Caller") {}

/** Every request carries a Bearer key that has the operation's scope. Spec: Authentication, 1 to 5. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "cardlake/contract/Authorization",
  {
    requiredForClient: true,
    security: { bearer: HttpApiSecurity.bearer },
    error: [Unauthorized, Forbidden, ApiAccessDisabled, TooManyRequests]
  }
) {}

/**
 * What a key may be allowed to do; `*` is everything. Spec: Authentication, Scopes; `cart` is
 * beyond the spec: section 15, row 6. A key has its scopes as text, because the list is open.
 */
export const scopes = [
  "*",
  "account:read",
  "account:write",
  "inventory:read",
  "inventory:write",
  "listings:read",
  "listings:write",
  "sales:read",
  "sales:write",
  "purchases:read",
  "purchases:write",
  "disputes:read",
  "disputes:write",
  "messaging:read",
  "messaging:write",
  "financial:read",
  "cart:read",
  "cart:write"
] as const
export type Scope = (typeof scopes)[number]

/** The scope that an operation requires: an annotation of its endpoint. Spec: Authentication, 5. */
export class RequiredScope extends Context.Service<RequiredScope, Scope>()("cardlake/contract/RequiredScope") {}

/** Annotations of an operation that needs a scope; OpenAPI says so too. */
export const needs = (scope: Scope) =>
  Context.make(RequiredScope, scope).pipe(Context.add(OpenApi.Description, `Needs the scope ${scope}.`))
