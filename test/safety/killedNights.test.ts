import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

it.live("a night killed before its last step leaves the old or the new lake, and the next night is whole", () =>
  Effect.gen(function* () {
    const seen = yield* killNights((step, steps) => step === steps)
    assert.strictEqual(seen.tried, 1)
  }).pipe(Effect.scoped)
)
