import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { killCommand } from "./killedMonths.ts"

// Some hundred commands, each in a process of its own, and as many to finish them.
vi.setConfig({ testTimeout: 3_600_000 })

describe("killed before any step, a command leaves a lake and a history that answer; run again, it is done:", () => {
  for (const args of [["compact"], ["prune", "--keep-last", "1", "--yes"]]) {
    it.live(`cardlake ${args.join(" ")}`, () =>
      Effect.gen(function* () {
        const killed = yield* killCommand(args)
        yield* Effect.log(`Killed at every step: ${killed}`)
        assert.isAbove(killed, 10)
      }).pipe(Effect.scoped)
    )
  }
})
