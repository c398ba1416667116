import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DialectName } from "../../../src/feed/contract/dialect/dialects.ts"
import { readDiff } from "../../../src/store/home/Diff.ts"
import { nightLog } from "../../../src/night/observe/nightLog.ts"
import { readSnapshot } from "../../../src/store/home/Manifest.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { runNight } from "../../../src/night/run/runNight.ts"
import { type Deployed, card, gameId, idOf } from "../../store/lake/invented.ts"
import { homeBy, servedDays } from "./bothVias.ts"
import { july, known, live, priced, reading, spec } from "./wordedNights.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"
import { lakeRows } from "../../store/lake/tableRows.ts"
import { tried } from "../../tried.ts"
import { pageFault } from "../../support/pageFaults.ts"
import { live as test, testIn } from "../../support/suite.ts"

describe("a night", () => {
  const each = [
    ["spec", spec],
    ["live", live],
    ["live-july", july]
  ] as const
  for (const [name, said] of tried<(typeof each)[number]>(each, ([name]) => name === "live-july")) {
    test(`reads the words of ${name} as its pages show them`, function* () {
      const { inHome, night, rows } = yield* reading([said(2.5)])
      const { games } = yield* night
      assert.deepStrictEqual(
        games.map(({ drift, refused, verdict }) => [verdict, refused, drift]),
        [["published", 0, { keys: 0, records: 0 }]]
      )
      assert.deepStrictEqual(yield* rows(priced), [
        { product_id: "1", source: "sourceEur", currency: "EUR", low: "2.5000" },
        { product_id: "1", source: "sourceUsd", currency: "USD", low: "3.0000" },
        { product_id: "2", source: "sourceUsd", currency: "USD", low: "90.0000" }
      ])
      assert.deepStrictEqual(yield* rows(known), [
        { product_id: "1", system: "mtgId", external_id: "m-1" },
        { product_id: "1", system: "sourceEur", external_id: "71" },
        { product_id: "2", system: "riftboundId", external_id: "r-2" }
      ])
      const { manifest } = yield* inHome(
        Effect.flatMap(Home, (home) => readSnapshot(home.snapshot(gameId, idOf(games[0]?.snapshot ?? ""))))
      )
      assert.strictEqual(manifest.dialect, name)
    })
  }

  testIn(emptyHome)(
    "that comes in other words than the one before changes nothing but what moved, and back",
    function* () {
      const by = (dialect: DialectName, products: Deployed["products"]) => ({ dialect, products })
      const nights = yield* publishNights([
        by("spec", spec(2.5)),
        by("live", live(2.5)),
        by("live", live(4)),
        by("spec", spec(4)),
        by("live-july", july(4.25))
      ])
      const changes = yield* Effect.forEach(nights.slice(1), ({ manifest }) => readDiff(gameId, manifest))
      const same = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }
      const moved = { ...same, modified: 1, modifiedPrice: 1 }
      assert.deepStrictEqual(
        changes.map((diff) => diff?.changes.products),
        [same, moved, same, moved]
      )
      assert.deepStrictEqual(yield* lakeRows("select title from price_sources where source = 'sourceEur'"), [
        { title: "Cardmarket" }
      ])
      assert.deepStrictEqual(yield* lakeRows("select count(*) as versions from files.product_versions"), [
        { versions: "3" }
      ])
    }
  )

  test("of pages with the words of two dialects is held, and says which", function* () {
    const { night } = yield* reading([[...spec(1).slice(0, 1), ...live(1).slice(1)]])
    const { games, verdict } = yield* night
    assert.strictEqual(verdict, "held")
    const reason = games[0]?.reason ?? ""
    assert.include(
      reason,
      "page 1 of the products has names of several dialects (mtgId, riotId, sourceEur, sourceUsd, tcgplayer): product 2 has riotId, tcgplayer, which spec does not have"
    )
    assert.match(
      reason,
      /Run it again later: cardlake nightly; if it persists, write a mapping file: cardlake doctor --capture capture\.json captures .* nightly --dialect uses it$/
    )
  })

  test("that is asked for other words than its pages are in is held, and says how to mend it", function* () {
    const { night } = yield* reading([live(1)], { CARDLAKE_DIALECT: "spec" })
    const { games, verdict } = yield* night
    assert.strictEqual(verdict, "held")
    assert.include(
      games[0]?.reason,
      "page 1 of the products uses the names of live (cardmarket, riotId, scryfallId, tcgplayer)"
    )
    assert.match(
      games[0]?.reason ?? "",
      /To read it, set --dialect or CARDLAKE_DIALECT to live, or leave them out; then run it again: cardlake nightly hollowmere$/
    )
    assert.strictEqual(games[0]?.dialect, "spec")
  })
})

test.full(
  "a dialect file that is new, changed or left out reads the same pages in its words, the same file does not",
  function* () {
    const { sandbox } = yield* servedDays([
      { products: [card(1, { attributes: { tide: "low", wind: "high" } }), card(2)] }
    ])
    const file = (from: string) => {
      const path = join(mkdtempSync(join(tmpdir(), "cardlake-words-")), "dialect.json")
      writeFileSync(path, JSON.stringify({ name: "mine", like: "spec", moved: { products: { rarity: from } } }))
      return path
    }
    const { home } = yield* homeBy(sandbox, "pages")
    const tide = file("attributes.tide")
    const read = []
    for (const dialect of ["auto", tide, tide, file("attributes.wind"), "auto"]) {
      const by = yield* homeBy(sandbox, "pages", { CARDLAKE_HOME: home, CARDLAKE_DIALECT: dialect })
      const stages = new Set<string>()
      const { games } = yield* by.inHome(runNight([], ({ stage }) => void stages.add(stage)))
      const [row] = yield* by.rows("select rarity from products where product_id = 1")
      read.push([games[0]?.verdict, stages.has("loading"), row?.["rarity"]])
    }
    assert.deepStrictEqual(read, [
      ["published", true, null],
      ["published", true, "low"],
      ["unchanged", false, "low"],
      ["published", true, "high"],
      ["published", true, null]
    ])
  }
)

describe("a night of more than a page", () => {
  const priced = (words: "spec" | "live") =>
    Array.from({ length: 250 }, (_, id) =>
      card(id + 1, {
        pricesByFinish: { Foil: { [words === "spec" ? "sourceEur" : "cardmarket"]: { currency: "EUR", low: 2 } } }
      })
    )
  const onSecond = { endpoint: "products", offset: 200 } as const

  test.full("whose words change in the middle is read again, and the log says why", function* () {
    const rule = { ...onSecond, kind: "dialect", dialect: "live", times: 1 } as const
    const { night } = yield* reading([priced("spec")], {}, { faults: { rules: [rule] } })
    const lines: Array<string> = []
    const { games } = yield* night.pipe(Effect.provide(nightLog("json", (line) => lines.push(line))))
    assert.deepStrictEqual(
      games.map(({ dialect, verdict }) => [verdict, dialect]),
      [["published", "live"]]
    )
    const repeats = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "repeat")
    assert.strictEqual(repeats.length, 1)
    assert.deepInclude(repeats[0], {
      level: "warn",
      game: gameId,
      round: 2,
      why: "page 2 of the products uses the names of live (cardmarket), but earlier pages use those of spec (sourceEur)"
    })
    assert.include(repeats[0]?.sentence, `${gameId} is read again from its beginning, because page 2 of the products`)
  })

  test("that is held without a snapshot says in its report in which words it was read", function* () {
    const faults = { rules: [pageFault({ ...onSecond, kind: "lying-total" })] }
    const { night } = yield* reading([priced("live")], {}, { faults })
    const { games } = yield* night
    assert.deepStrictEqual(
      games.map(({ dialect, products, verdict }) => [verdict, products, dialect]),
      [["held", null, "live"]]
    )
  })
})
