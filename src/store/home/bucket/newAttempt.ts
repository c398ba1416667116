import { DateTime, Effect } from "effect"
import { randomHex } from "../../../feed/disk/random.ts"

/** Generates an attempt's name. Each attempt of a command has separate folders for its objects. */
export const newAttempt = Effect.gen(function* () {
  const at = DateTime.formatIso(yield* DateTime.now).replaceAll(/[-:.]/g, "")
  return `${at}-${yield* randomHex(4)}`
})
