import { DateTime, Effect } from "effect"
import { randomHex } from "../../../feed/disk/random.ts"

/** Whose objects they are: every try of a command has its own folders. */
export const newAttempt = Effect.gen(function* () {
  const at = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:.]/g, "")
  return `${at}-${yield* randomHex(4)}`
})
