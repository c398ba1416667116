import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { vi } from "vitest"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome } from "../handMadeNights.ts"
import { happenings, replayLife } from "./replays.ts"

vi.setConfig({ testTimeout: 120_000 })

it.live("from any number, the entries lead to the current tables, whatever was published and taken back", () =>
  Effect.gen(function* () {
    const [catalogues = []] = fc.sample(wornCatalogues(5, 6), { numRuns: 1, seed: 11 })
    const life = [
      ...happenings.filter((one) => one !== "prune"),
      "feeds",
      "rollback",
      "hold",
      "night",
      "release"
    ] as const
    const { followed } = yield* replayLife(catalogues, life)
    assert.strictEqual(followed, 12)
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)
