import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { killCommand } from "./killedMonths.ts"

// Real commands, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 })

it.live("a compaction killed between two of its steps leaves a lake that answers, and the next one finishes it", () =>
  Effect.gen(function* () {
    const seen = yield* killCommand(["compact"], (step, steps) =>
      [Math.floor(steps * 0.4), steps - 6, steps].includes(step)
    )
    assert.strictEqual(seen.tried, 3)
  }).pipe(Effect.scoped)
)
