import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { dialects, type KnownDialect } from "../../../src/feed/contract/dialect/dialects.ts"
import { judge, heldBack } from "../../../src/store/diff/judge.ts"
import { readCurrent, Home } from "../../../src/store/home/Home.ts"
import { namesIn } from "../../../src/store/home/disk.ts"
import { newRunId } from "../../../src/store/home/newRunId.ts"
import { loadSnapshot } from "../../../src/store/lake/load/loadSnapshot.ts"
import { storeSnapshot } from "../../../src/store/home/HeldBack.ts"
import { heldGames } from "../../../src/night/observe/heldGames.ts"
import { runReworded } from "../../../src/night/run/runReread.ts"
import { type Deployed, gameId } from "../../store/lake/invented.ts"
import { writeReading } from "../../store/lake/handMadeNights.ts"
import { known, live, priced, reading, spec } from "./wordedNights.ts"
import { live as test } from "../../support/suite.ts"

const replayed = (dialect: KnownDialect | null, wanted: string | null = null) =>
  runReworded({ gameId, wanted, why: null }, dialect === null ? null : dialects[dialect])

const published = Effect.map(readCurrent, ({ games }) => games[gameId]?.published ?? [])
const readings = Effect.flatMap(Home, (home) => namesIn(home.readings(gameId)))

/** No dialect has all of its words. */
const mixed: Deployed["products"] = [...spec(1).slice(0, 1), ...live(1).slice(1)]
/** Cardmarket prices no product any more. */
const unpriced: Deployed["products"] = live(2.5).slice(1)

/** A reading of `live` as a version held it that knew the spec's words alone. */
const heldAsUnknown = Effect.gen(function* () {
  const run = yield* newRunId
  const raw = (yield* Home).raw(gameId, run)
  const extraction = writeReading(raw, run, { products: live(2.5), changelog: [] })
  writeFileSync(join(raw, "extraction.json"), JSON.stringify(extraction))
  const staged = yield* loadSnapshot(extraction, null)
  const { manifest } = yield* storeSnapshot(staged, null, heldBack(yield* judge(null, staged, null)))
  return manifest.snapshot
})

describe("a game that was held because its words were unknown", () => {
  const held = Effect.fnUntraced(function* (...later: ReadonlyArray<Deployed["products"]>) {
    const home = yield* reading([live(2.5), ...later])
    return { ...home, old: yield* home.inHome(heldAsUnknown) }
  })

  test("is told by doctor, and published by replay with its prices and ids", function* () {
    const { inHome, old, rows } = yield* held()
    const [before] = yield* inHome(heldGames)
    assert.include(before?.reason, "prices or external ids under keys that the contract does not know")
    assert.include(
      before?.reason,
      `Publish it with its prices and ids: cardlake replay ${gameId} ${old} --dialect live`
    )
    const done = yield* inHome(replayed(null))
    assert.deepInclude(done, { verdict: "published", before: old, dialect: "live", prices: 3, pricesBefore: 0 })
    assert.strictEqual((yield* rows(priced)).length, 3)
    assert.strictEqual((yield* rows(known)).length, 3)
    assert.deepStrictEqual(yield* inHome(heldGames), [])
  })

  test("is not read in words that its pages are not in, and no page of it is left behind", function* () {
    const { inHome, old } = yield* held()
    const { message } = yield* Effect.flip(inHome(replayed("live-july")))
    assert.include(message, "uses the names of live (cardmarket, riotId, scryfallId, tcgplayer)")
    assert.include(message, "--dialect live, or detect it with --dialect auto. Nothing was changed")
    assert.notInclude(message, "CARDLAKE_DIALECT")
    assert.deepStrictEqual(yield* inHome(readings), [old])
  })

  test.full(
    "and then for words of two dialects is published from its older pages, and stays held for these",
    function* () {
      const { deploy, inHome, night } = yield* held(mixed)
      yield* deploy
      assert.strictEqual((yield* night).verdict, "held")
      const done = yield* inHome(replayed(null))
      assert.strictEqual(done.verdict, "published")
      assert.include(done.held?.reason, "names of several dialects")
      assert.deepStrictEqual(
        (yield* inHome(heldGames)).map(({ snapshot }) => snapshot),
        [null]
      )
    }
  )

  test.full("twice is not published from the older of both", function* () {
    const { inHome, old } = yield* held()
    const newer = yield* inHome(heldAsUnknown)
    const { message } = yield* Effect.flip(inHome(replayed("live", old)))
    assert.include(message, `${newer} of ${gameId} was read later, and is held`)
    assert.deepStrictEqual(yield* inHome(published), [])
    assert.strictEqual((yield* inHome(replayed("live", newer))).verdict, "published")
  })
})

describe("replay --dialect", () => {
  test.full(
    "leaves a night that was read rightly, one held of which there is no snapshot, and one held for something else",
    function* () {
      const { deploy, inHome, night } = yield* reading([live(2.5), mixed, unpriced])
      yield* night
      const before = yield* inHome(published)
      for (const dialect of [null, "live", null] as const) {
        const done = yield* inHome(replayed(dialect))
        assert.deepStrictEqual([done.verdict, done.snapshot], ["unchanged", before[0]])
      }
      assert.deepStrictEqual(yield* inHome(readings), [...before])

      yield* deploy
      yield* night
      for (const wanted of [null, before[0] ?? null]) {
        const done = yield* inHome(replayed(null, wanted))
        assert.strictEqual(done.verdict, "unchanged")
        assert.deepInclude(done.held, { snapshot: null })
        assert.include(done.held?.reason, "names of several dialects")
      }
      assert.strictEqual((yield* inHome(heldGames)).length, 1)

      yield* deploy
      assert.strictEqual((yield* night).verdict, "held")
      const [held] = yield* inHome(heldGames)
      const stored = yield* inHome(readings)
      const done = yield* inHome(replayed(null))
      assert.deepStrictEqual([done.verdict, done.snapshot], ["held", held?.snapshot])
      assert.include(done.reasons.join(), "Cardmarket prices 0.0 % of the products")
      assert.deepStrictEqual(yield* inHome(readings), stored)
      assert.deepStrictEqual(yield* inHome(published), before)
    }
  )

  test("of a first night that left no snapshot says that there is nothing to read again", function* () {
    const { inHome, night } = yield* reading([mixed])
    yield* night
    const { message } = yield* Effect.flip(inHome(replayed(null)))
    assert.match(message, /has no snapshot.*nothing to replay.*names of several dialects.*cardlake nightly hollowmere/s)
  })
})
