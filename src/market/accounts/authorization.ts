import { Context, Effect, Layer, Redacted } from "effect"
import { Authorization, Caller, RequiredScope, type Scope } from "../../feed/contract/Authorization.ts"
import { ApiAccessDisabled, Forbidden, TooManyRequests, Unauthorized } from "../../feed/contract/Errors.ts"
import { Bucket } from "../../feed/contract/Bucket.ts"
import type { AccountBuckets } from "../limits/AccountBuckets.ts"
import { RateNote } from "../limits/RateBucket.ts"
import { State } from "../state/State.ts"
import { findCaller } from "./accounts.ts"

const lacksScope = (required: Scope, granted: ReadonlyArray<string>) =>
  new Forbidden({
    code: "FORBIDDEN",
    status: 403,
    message: `The key lacks the scope ${required}`,
    data: { required: [required], granted }
  })

/** Caches key look-ups until the next write. A revoked key is thus refused at the next request. */
const rememberedCallers = ({ onWritten, store }: State["Service"]) => {
  const known = new Map<string, ReturnType<typeof findCaller>>()
  onWritten(() => known.clear())
  return (secret: string) => {
    const caller = known.get(secret) ?? findCaller(store, secret)
    if (caller !== undefined) known.set(secret, caller)
    return caller
  }
}

/**
 * Accepts a known key within the rate limits of its account and the scopes of the key. Spec: Authentication; beyond the
 * spec: sections 3 and 4.
 */
export const authorization = (buckets: AccountBuckets) =>
  Layer.effect(
    Authorization,
    Effect.map(State, (state) => {
      const recallCaller = rememberedCallers(state)
      return {
        bearer: (answer, { credential, endpoint }) =>
          Effect.gen(function* () {
            const caller = recallCaller(Redacted.value(credential))
            if (caller === undefined) {
              return yield* new Unauthorized({ code: "UNAUTHORIZED", status: 401, message: "Unauthorized", data: {} })
            }
            const { accountId, mayCall, scopes } = caller
            const note = yield* RateNote.ask
            const taken = buckets.of(accountId, Context.getOrUndefined(endpoint.annotations, Bucket) ?? null)
            note.bucket = taken[0]
            for (const { limit, name, take } of taken) {
              const retryAfter = take()
              if (retryAfter === 0) continue
              note.retryAfter = retryAfter
              buckets.count(accountId, true)
              return yield* new TooManyRequests({
                code: "TOO_MANY_REQUESTS",
                status: 429,
                message: `Bucket ${name} is empty, try again in ${retryAfter} s`,
                data: { bucket: name, limit, retryAfter }
              })
            }
            buckets.count(accountId, false)
            if (!mayCall) {
              return yield* new ApiAccessDisabled({ message: "The account has no access to the API", data: {} })
            }
            const required = Context.getOrUndefined(endpoint.annotations, RequiredScope)
            if (required !== undefined && !scopes.includes("*") && !scopes.includes(required)) {
              return yield* lacksScope(required, scopes)
            }
            return yield* Effect.provideService(answer, Caller, { accountId, scopes })
          })
      }
    })
  )
