import { Effect, Layer, Redacted } from "effect"
import { Authorization, Scopes } from "../contract/Authorization.ts"
import { TooManyRequests, Unauthorized } from "../contract/Errors.ts"
import type { RateBucket } from "./RateBucket.ts"

/** Lets one key in, with its scopes, as long as its rate bucket holds. Spec: Authentication; beyond the spec: section 3. */
export const authorization = (key: string, scopes: ReadonlyArray<string>, bucket: RateBucket) =>
  Layer.succeed(Authorization, {
    bearer: (answer, { credential }) =>
      Effect.gen(function* () {
        if (Redacted.value(credential) !== key) {
          return yield* new Unauthorized({ code: "UNAUTHORIZED", status: 401, message: "Unauthorized", data: {} })
        }
        const retryAfter = bucket.take()
        if (retryAfter > 0) {
          return yield* new TooManyRequests({
            code: "TOO_MANY_REQUESTS",
            status: 429,
            message: `Bucket ${bucket.name} is empty, try again in ${retryAfter} s`,
            data: { bucket: bucket.name, limit: bucket.limit, retryAfter }
          })
        }
        return yield* Effect.provideService(answer, Scopes, scopes)
      })
  })
