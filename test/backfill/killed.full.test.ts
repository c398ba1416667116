import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killTakeIn } from "./killTakeIn.ts"

it.live("a night that is killed at any step of taking a backfill in loses nothing and brings nothing twice", () =>
  Effect.gen(function* () {
    assert.isAtLeast(yield* killTakeIn(1), 20)
  }).pipe(Effect.scoped)
)
