import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { vi } from "vitest"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { anyHappenings, replayLife } from "./replays.ts"

vi.setConfig({ testTimeout: 3_600_000 })

it.live("in 300 histories, the entries since any number lead to the current tables, or the reader starts again", () =>
  Effect.gen(function* () {
    let followed = 0
    let restarted = 0
    yield* holds(fc.tuple(wornCatalogues(5, 5), anyHappenings), 300, ([catalogues, life]) =>
      Effect.gen(function* () {
        const counts = yield* replayLife(catalogues, life)
        followed += counts.followed
        restarted += counts.restarted
      }).pipe(Effect.scoped, Effect.provide(emptyHome))
    )
    assert.isAbove(followed, 600)
    assert.isAbove(restarted, 100)
  })
)
