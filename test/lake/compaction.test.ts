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
        const [catalogues = []] = fc.sample(wornCatalogues(8, 6), { numRuns: 1, seed: 7 })
        const happenings: ReadonlyArray<Happening> = [
          "night",
          "unchanged",
          "night",
          "compact",
          "rollback",
          "night",
          "night",
          "compact",
          "return",
          "rollback",
          "night",
          "prune",
          "night",
          "compact",
          "prune"
        ]
        const done = yield* liveThrough(catalogues, happenings, (step) => [5, 9, 10, 12, 15].includes(step))
        assert.deepStrictEqual(done, { night: 7, unchanged: 1, compact: 3, prune: 2, rollback: 2, return: 1 })
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
  )
})
