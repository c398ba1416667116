import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killTakeIn } from "./killTakeIn.ts"

it.live("a night that is killed while it takes a backfill in loses nothing and brings nothing twice", () =>
  Effect.gen(function* () {
    const tried = yield* killTakeIn((step, steps) => step % Math.ceil(steps / 6) === 0)
    assert.isAtLeast(tried, 4)
  }).pipe(Effect.scoped)
)
