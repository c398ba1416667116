import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

it.live("a night killed between two of its steps leaves the old or the new lake, and the next night is whole", () =>
  Effect.gen(function* () {
    const sample = 2
    const seen = yield* killNights((step, steps) =>
      Array.from({ length: sample }, (_, index) => steps - Math.floor((index * (steps - 1)) / (sample - 1))).includes(
        step
      )
    )
    assert.strictEqual(seen.tried, sample)
  }).pipe(Effect.scoped)
)
