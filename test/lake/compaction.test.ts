import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { wornCatalogues } from "../diff/wornCatalogues.ts"
import { emptyHome } from "./handMadeReading.ts"
import { type Happening, liveThrough } from "./keptNights.ts"

// Real commands, on a machine that may be busy.
vi.setConfig({ testTimeout: 90_000 })

describe("the history", () => {
  it.live(
    "answers for every night as it was read, through compactions, prunes, rollbacks and nights without news",
    () =>
      Effect.gen(function* () {
        const [catalogues = []] = fc.sample(wornCatalogues(4, 6), { numRuns: 1, seed: 7 })
        const happenings: ReadonlyArray<Happening> = [
          "night",
          "night",
          "unchanged",
          "compact",
          // The return skips a night: what lies in the month's part followed another one.
          "rollback",
          "rollback",
          "return",
          "prune",
          "night",
          "compact"
        ]
        const done = yield* liveThrough(catalogues, happenings, (step) => [4, 7, 10].includes(step))
        assert.deepStrictEqual(done, { night: 4, unchanged: 1, compact: 2, prune: 1, rollback: 2, return: 1 })
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )
})
