import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { killTakeIn } from "./killTakeIn.ts"

it.live("a night that is killed while it takes a backfill in loses nothing and brings nothing twice", () =>
  Effect.gen(function* () {
    assert.isAbove(yield* killTakeIn(18), 1)
  }).pipe(Effect.scoped)
)
