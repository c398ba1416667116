import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { vi } from "vitest"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { currentOf } from "../currentOf.ts"
import { card, expansion, gameId, idOf } from "../invented.ts"
import { lakeRows } from "../tableRows.ts"
import { answeredBackfill } from "../storedBackfill.ts"
import { changesSince, replayLife } from "./replays.ts"

vi.setConfig({ testTimeout: 120_000 })

it.live("from any number, the entries lead to the current tables, whatever was published and taken back", () =>
  Effect.gen(function* () {
    const [catalogues = []] = fc.sample(wornCatalogues(5, 6), { numRuns: 1, seed: 11 })
    const life = ["feeds", "hold", "release", "rollback"] as const
    const { followed } = yield* replayLife(catalogues, life)
    assert.strictEqual(followed, 5)
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)

it.live("a backfill is an entry with its days and counts, once, and changes no current table", () =>
  Effect.gen(function* () {
    yield* Effect.scoped(publishNights([{ products: [card(1)] }]))
    yield* answeredBackfill(
      new Map([
        [
          1,
          [
            ["2026-04-01", 2],
            ["2026-04-03", 3]
          ]
        ]
      ])
    )
    yield* Effect.scoped(runCompact([]))
    yield* Effect.scoped(runCompact([]))
    const item = {
      answers: "1",
      products: "1",
      prices: "2",
      days: "2",
      first_day: "2026-04-01",
      last_day: "2026-04-03"
    }
    assert.deepStrictEqual(yield* changesSince(1), {
      entries: [{ sequence: "2", game_id: "hollowmere", entity: "backfill", kind: "added", item }],
      next: 2,
      tables: []
    })
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)

it.live("a file of a snapshot that is not the one on record is reported as damaged, with no entry of it", () =>
  Effect.gen(function* () {
    const nights = yield* Effect.scoped(
      publishNights([1, 2, 3].map((low) => ({ products: [card(1, { name: `Hound ${low}` })] })))
    )
    const [, second = "", third = ""] = nights.map((night) => join(night?.folder ?? "", "products.parquet"))
    assert.strictEqual((yield* changesSince(1)).entries?.length, 2)
    copyFileSync(third, second)
    assert.include(yield* Effect.flip(changesSince(1)), { _tag: "FileDamaged", file: second })
    assert.strictEqual((yield* changesSince(3)).next, 3)
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)

it.live("a list that is empty instead of missing is an entry, and the lake has it, too", () =>
  Effect.gen(function* () {
    const said = [undefined, []].map((languages) => ({ expansions: [expansion(1, { languages })] }))
    const [first, second] = (yield* Effect.scoped(publishNights(said))).map(({ manifest }) => manifest.snapshot)
    const languages = (entries: Effect.Success<ReturnType<typeof changesSince>>["entries"]) =>
      entries?.map((entry) => [entry["old"], entry["new"]])
    assert.deepStrictEqual(languages((yield* changesSince(1)).entries), [[null, []]])
    const back = currentOf(
      gameId,
      [first, second, first].flatMap((one) => one ?? [])
    )
    yield* Effect.scoped(Effect.flatMap(lockHome("nightly", idOf("back")), (lock) => publish(idOf("back"), back, lock)))
    assert.deepStrictEqual(languages((yield* changesSince(2)).entries), [[[], null]])
    assert.deepStrictEqual(yield* lakeRows("select languages from expansions"), [{ languages: null }])
  }).pipe(Effect.scoped, Effect.provide(emptyHome))
)
