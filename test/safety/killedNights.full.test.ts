import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { killNights } from "./killedNights.ts"

// Some two hundred nights, each in a process of its own, and as many to repair them.
vi.setConfig({ testTimeout: 3_600_000 })

it.live("a night killed before any step leaves the old or the new lake, and the next one ends like any other", () =>
  Effect.gen(function* () {
    const seen = yield* killNights(1)
    yield* Effect.log(`Killed at every step: ${JSON.stringify(seen)}`)
    assert.isAbove(seen.killed, 100)
    assert.isAbove(seen.committed, 0)
  }).pipe(Effect.scoped)
)
