import { assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { type Happening, liveThrough } from "./keptNights.ts"

vi.setConfig({ testTimeout: 600_000 })

const happening = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Happening>("night") },
  { weight: 5, arbitrary: fc.constantFrom<Happening>("unchanged", "compact", "prune", "rollback", "return") }
)

it.live("whatever happens to a home, in any order, every night of its history answers as it was read", () =>
  Effect.gen(function* () {
    let nights = 0
    const lives = fc.tuple(wornCatalogues(6, 5), fc.array(happening, { minLength: 8, maxLength: 14 }))
    yield* holds(lives, 20, ([catalogues, happenings]) =>
      Effect.gen(function* () {
        const done = yield* liveThrough(
          catalogues,
          happenings,
          (step) => step === happenings.length || happenings[step - 1] === "prune"
        )
        nights += done.night
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
    )
    assert.isAbove(nights, 60)
  })
)
