import { DateTime, Effect, Random } from "effect"

/** Whose objects they are: every try of a command has its own folders. */
export const newAttempt = Effect.gen(function* () {
  const at = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:.]/g, "")
  const nonce = yield* Random.nextIntBetween(0, 2 ** 32)
  return `${at}-${nonce.toString(16).padStart(8, "0")}`
})
