import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

it.live("a night killed before any of its steps leaves the old or the new lake, and the next night is whole", () =>
  Effect.gen(function* () {
    const seen = yield* killNights(() => true)
    yield* Effect.log(`Killed at every step: ${JSON.stringify(seen)}`)
    assert.strictEqual(seen.tried, seen.steps)
    assert.isAbove(seen.committed, 0)
  }).pipe(Effect.scoped)
)
