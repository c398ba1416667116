import { assert, describe } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { runReplay, runRefusals } from "../../../src/night/run/runReread.ts"
import type * as AcceptPage from "../../../src/feed/rows/acceptPage.ts"
import { gameId, idOf } from "../../store/lake/invented.ts"
import { tinyMarketplace, type TinyHome } from "../../safety/tinyNights.ts"
import { failureOf, live } from "../../support/suite.ts"

/** Ids of the cards whose name an older contract refused. */
const strict = vi.hoisted(() => ({ refuses: [] as ReadonlyArray<number> }))

vi.mock(import("../../../src/feed/rows/acceptPage.ts"), async (original) => {
  const actual = await original()
  const { acceptPage } = actual
  const older: typeof AcceptPage.acceptPage = (rules, game, page, take) => {
    const text = strict.refuses.reduce(
      (text, id) => text.replace(`"name":"Wicker Hound ${id}"`, `"name":${id}`),
      page.text
    )
    if (text === page.text) return acceptPage(rules, game, page, take)
    const { data } = JSON.parse(text) as { data: ReadonlyArray<unknown> }
    return acceptPage(rules, game, { plain: Buffer.from(text), text, data }, take)
  }
  return { ...actual, acceptPage: older }
})

const replay = (home: TinyHome, wanted: string | null = null) =>
  runReplay(gameId, wanted).pipe(Effect.provideContext(home.services))
const refusals = (home: TinyHome, wanted: string | null = null) =>
  runRefusals({ gameId, wanted, why: null }).pipe(Effect.provideContext(home.services))

const nights = Effect.fnUntraced(function* (count: number, settings: Record<string, string> = {}) {
  const { deploy, newHome } = yield* tinyMarketplace({ settings })
  const home = yield* newHome
  for (let night = 0; night < count; night++) {
    if (night > 0) yield* deploy
    yield* home.night
  }
  return { home, published: (yield* home.current).games[gameId]?.published ?? [] }
})

describe("replay", () => {
  live(
    "rebuilds every snapshot byte for byte, even if the one before it is missing, and names the tables that differ and a raw page that has changed",
    function* () {
      const { home, published } = yield* nights(2)
      const before = yield* home.lake
      const last = yield* replay(home)
      assert.deepStrictEqual([last.snapshot, last.equal], [published[1], true])
      assert.strictEqual(last.tables.length, 15)
      assert.isTrue((yield* replay(home, published[0])).equal)
      assert.deepStrictEqual(yield* home.lake, before)
      rmSync(home.paths.snapshot(gameId, idOf(published[0] ?? "")), { recursive: true })
      assert.isTrue((yield* replay(home)).equal)

      const raw = home.paths.raw(gameId, idOf(published[1] ?? ""))
      writeFileSync(
        join(raw, "refusals.ndjson"),
        `${JSON.stringify({ kind: "products", page: "pages/x", index: 0, id: "1", path: "", reason: "x", raw: "{}" })}\n`
      )
      const found = yield* replay(home)
      assert.isFalse(found.equal)
      assert.deepStrictEqual(
        found.tables
          .filter((table) => !table.equal)
          .map(({ rebuiltRows, rows, table }) => ({ rebuiltRows, rows, table })),
        [{ table: "refusals", rows: 0, rebuiltRows: 1 }]
      )
      writeFileSync(join(raw, "pages/products-000000.json.gz"), gzipSync('{"data":[]}'))
      const said = yield* failureOf(replay(home))
      assert.include(said, "products-000000.json.gz is damaged (its sha256 has changed since it was read)")
      rmSync(raw, { recursive: true })
      assert.include(yield* failureOf(replay(home)), `There is no complete extraction in ${raw} (it is missing)`)
      assert.include(yield* failureOf(replay(home, "none")), `has no snapshot none of ${gameId}`)
    }
  )
})

describe("replay --refusals", () => {
  live.full(
    "publishes a corrected snapshot once the contract accepts what it refused, and the next night finds nothing new",
    function* () {
      strict.refuses = [5, 7]
      const { home, published } = yield* nights(2, { CARDLAKE_HOLD_REFUSED: "0.2", CARDLAKE_HOLD_REMOVED: "1" })
      assert.strictEqual((yield* home.manifest).refused, 2)
      const same = yield* refusals(home)
      assert.deepStrictEqual([same.verdict, same.refused, same.snapshot], ["unchanged", 2, published[1]])

      strict.refuses = [7]
      const done = yield* refusals(home)
      assert.deepStrictEqual([done.verdict, done.refusedBefore, done.refused], ["published", 2, 1])
      const manifest = yield* home.manifest
      assert.deepStrictEqual([manifest.snapshot, manifest.previous], [done.snapshot, published[1]])
      assert.deepStrictEqual(
        yield* home.query(
          `select change, id::int as id, old, new from changes where to_snapshot = '${done.snapshot}' and field is null`
        ),
        [{ change: "added", id: 5, old: null, new: "Wicker Hound 5" }]
      )
      assert.deepEqual(yield* home.query("select distinct kind from runs order by all"), [
        { kind: "nightly" },
        { kind: "replay" }
      ])
      assert.isTrue((yield* replay(home)).equal)
      assert.strictEqual((yield* home.night).games[0]?.verdict, "unchanged")
      assert.include(yield* failureOf(refusals(home, published[0])), "is not the published snapshot")
    }
  )
})
