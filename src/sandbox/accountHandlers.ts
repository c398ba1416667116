import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Scopes } from "../contract/Authorization.ts"
import { Forbidden } from "../contract/Errors.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"

const required = "account:read"

/** The account behind the key. Needs `account:read`. Spec: Authentication, 5. */
export const accountHandlers = HttpApiBuilder.group(MarketplaceApi, "account", (handlers) =>
  handlers.handle(
    "me",
    Effect.fnUntraced(function* () {
      const scopes = yield* Scopes
      if (!scopes.includes("*") && !scopes.includes(required)) {
        return yield* new Forbidden({
          code: "FORBIDDEN",
          status: 403,
          message: `The key lacks the scope ${required}`,
          data: { required: [required], granted: scopes }
        })
      }
      return {
        id: "acc_sandbox",
        username: "sandbox",
        email: "sandbox@example.com",
        // The account has no picture.
        imageUrl: "",
        createdAt: "2026-01-01T00:00:00.000Z",
        seller: null,
        scopes
      }
    })
  )
)
