import { assert } from "@effect/vitest"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FaultRule } from "../../../src/market/faults/FaultPlan.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { sumsOfTables, day, fileOf, files, head, sandboxRequest, servedDays } from "./bothVias.ts"
import { tried } from "../../tried.ts"
import { live } from "../../support/suite.ts"

/** With a block of prices that the contract does not know, beside one that it knows. */
const strange = [card(9, { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 2 }, harbour: { low: 3 } } } })]

live("an unchanged night is two requests, one with new prices downloads these alone and has all facts", function* () {
  const { asked, deploy, homeBy } = yield* servedDays([day(10), day(11), day(11, "Lantern Ray", strange)])
  const { home, night, rows } = yield* homeBy("auto")
  const first = yield* night()
  assert.deepInclude(first.games[0], { verdict: "published", via: "feeds", products: 6 })
  assert.deepStrictEqual(yield* asked, {
    "/v1/games": 1,
    [head]: 2,
    [files]: 2,
    [fileOf("catalog")]: 1,
    [fileOf("expansions")]: 1,
    [fileOf("prices")]: 1,
    [`/v1/feeds/${gameId}/changelog?limit=100`]: 1
  })

  assert.strictEqual((yield* night()).verdict, "unchanged")
  assert.deepStrictEqual(yield* asked, { "/v1/games": 1, [head]: 1, [files]: 1 })

  yield* deploy
  const repriced = yield* night()
  assert.deepInclude(repriced.games[0]?.changes?.products, { modified: 1, modifiedPrice: 1, modifiedCatalogue: 0 })
  assert.deepStrictEqual(yield* asked, { "/v1/games": 1, [head]: 2, [files]: 2, [fileOf("prices")]: 1 })

  const manifest = JSON.parse(
    readFileSync(join(home, `snapshots/game=${gameId}/snapshot=${repriced.run}/manifest.json`), "utf8")
  )
  assert.deepStrictEqual(
    [manifest.via, manifest.feeds.catalog.run, manifest.feeds.expansions.run, manifest.feeds.prices.run],
    ["feeds", first.run, first.run, repriced.run]
  )
  const slow = yield* homeBy("pages")
  yield* slow.night()
  for (const { sums, table } of sumsOfTables) assert.deepStrictEqual(yield* rows(sums), yield* slow.rows(sums), table)

  // A file that is gone, or not what it was, is downloaded again.
  yield* deploy
  const raw = join(home, "raw", gameId, first.run, "pages")
  rmSync(join(raw, "expansions.ndjson.gz"))
  writeFileSync(join(home, "raw", gameId, repriced.run, "pages/prices.ndjson.gz"), "damaged")
  yield* asked
  const renamed = yield* night()
  assert.deepInclude(renamed.games[0]?.changes?.products, {
    added: 1,
    modified: 1,
    modifiedPrice: 0,
    modifiedCatalogue: 1
  })
  assert.strictEqual(renamed.games[0]?.reconciliation?.unexplained, 0)
  const again = yield* asked
  assert.deepStrictEqual(
    ["catalog", "expansions", "prices"].map((type) => again[fileOf(type)]),
    [1, 1, 1]
  )
  assert.deepStrictEqual(
    yield* rows("select product_id::int as id, price_extra from products where price_extra is not null"),
    [{ id: 9, price_extra: '{"pricesByFinish":{"Foil":{"harbour":{"low":3}}}}' }]
  )
})

const strike = (...rules: ReadonlyArray<FaultRule>) => servedDays([day(10)], { faults: { rules } })

live("without feed files, a game is read page by page, and the report says why", function* () {
  for (const kind of tried(["null-feed", "feed-not-generated"] as const, (kind) => kind === "null-feed")) {
    const { asked, homeBy } = yield* strike({ kind, endpoint: "feeds" })
    const { night } = yield* homeBy("auto")
    assert.deepInclude((yield* night()).games[0], {
      verdict: "published",
      via: "pages",
      viaReason: "the marketplace has no feed files of it"
    })
    assert.strictEqual((yield* asked)[files], 1)
    const wanted = yield* homeBy("feeds")
    const refused = yield* wanted.night()
    assert.strictEqual(refused.verdict, "failed")
    assert.match(refused.games[0]?.reason ?? "", /has no feed files of hollowmere.*--via pages/)
  }
})

live.full(
  "a link that died, a file that was cut or lost, are asked for again; a declared gzip is taken as it is, and prices of a product that the catalogue does not have are counted and left out",
  function* () {
    const rules: ReadonlyArray<FaultRule> = [
      { kind: "dead-link", endpoint: "downloads", at: [1] },
      { kind: "reset-body", endpoint: "downloads", at: [2] },
      { kind: "declared-gzip", endpoint: "downloads" }
    ]
    const { homeBy, sandbox } = yield* strike(...rules)
    yield* sandboxRequest(sandbox, "feeds", { orphans: 2 })
    const { night, rows } = yield* homeBy("feeds")
    assert.deepInclude((yield* night()).games[0], { verdict: "published", products: 6 })
    assert.deepInclude((yield* sandbox.injected).counts, { "dead-link": 1, "reset-body": 1 })
    assert.deepStrictEqual(yield* rows("select count(*)::int as n from source_prices"), [{ n: 4 }])
    assert.deepStrictEqual(
      yield* rows("select place, word, records::int as records from drift where kind = 'orphan' order by word"),
      ["9007199254740000", "9007199254740001"].map((word) => ({ place: "prices", word, records: 1 }))
    )
  }
)

live("a file other than was stated is not published, and nothing of a link is said or stored", function* () {
  const rules: ReadonlyArray<readonly [FaultRule, RegExp]> = [
    [{ kind: "wrong-checksum", endpoint: "feeds" }, /its checksum differs/],
    [{ kind: "wrong-count", endpoint: "feeds", by: 1 }, /lines instead of/],
    [{ kind: "truncated", endpoint: "downloads" }, /file of hollowmere cannot be used/],
    [{ kind: "dead-link", endpoint: "downloads" }, /returned no file: it answers 403/],
    [{ kind: "html", endpoint: "downloads" }, /are not all JSON/]
  ]
  for (const [rule, said] of tried(rules, ([{ kind }]) => kind === "dead-link")) {
    const { homeBy } = yield* strike(rule)
    const { home, night } = yield* homeBy("feeds")
    const report = yield* night()
    assert.strictEqual(report.verdict, "failed", rule.kind)
    assert.match(report.games[0]?.reason ?? "", said)
    assert.notInclude(JSON.stringify(report), "signature")
    assert.isFalse(existsSync(join(home, "lake.duckdb")))
  }
})
