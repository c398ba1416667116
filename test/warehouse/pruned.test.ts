import { shared, suite } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { Layer } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { exportedText } from "../../pipelines/print/exportText.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { card, expansion, gameId } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { commitsIn } from "./deltaReader.ts"
import { contractsIn, dropRows, exportTo, temporaryFolder, dayOf, nightId } from "./FourNights.ts"
import { metadataOf } from "./icebergReader.ts"
import { publishNights } from "./publishNights.ts"

const priced = {
  pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue: 10.25 }, harbour: { low: 9 } } }
}
const ids = (...numbers: ReadonlyArray<number>) => ({
  externalIds: { sourceEur: numbers.map((id) => ({ finish: "Standard", id })) }
})
const counts = { added: 0, modified: 1, removed: 0 }
const item = { slug: "wicker-hound-2", id: 2 }
const nothing = { added: [], modified: [], removed: [] }
const entry = (day: number) => ({
  id: `dep_${day}`,
  deployedAt: `${dayOf(day)}T00:00:00.000Z`,
  summary: { products: counts, expansions: { ...counts, modified: 0 } },
  changes: { products: { ...nothing, modified: [item] }, expansions: nothing }
})

/**
 * Four days: a card is renamed, one leaves and returns, ids move, one is listed twice, an expansion
 * is renamed and one is added.
 */
const feed = [
  {
    expansions: [expansion(71, { languages: ["en", "de"] }), expansion(72)],
    products: [card(1, { ...priced, ...ids(8, 7, 8) }), card(2, priced), card(3, { finishes: ["Standard", "Foil"] })],
    changelog: [entry(1)]
  },
  {
    expansions: [expansion(71, { languages: ["en", "de"] }), expansion(72, { name: "Fen" })],
    products: [
      card(1, { ...priced, ...ids(8, 7, 8) }),
      card(2, { ...priced, name: "Osier Hound", languages: ["ja", "en"] }),
      card(3, { finishes: ["Standard", "Foil"] }),
      card(4, { ...priced, finishes: ["Foil"] })
    ],
    changelog: [entry(2), entry(1)]
  },
  {
    expansions: [expansion(71, { languages: ["de"] }), expansion(72, { name: "Fen" }), expansion(73)],
    products: [card(1, { ...priced, ...ids(9) }), card(2, priced), card(4, { ...priced, finishes: ["Foil"] })],
    changelog: [entry(2), entry(1)]
  },
  {
    expansions: [expansion(71, { languages: ["de"] }), expansion(72)],
    products: [card(1, { ...priced, ...ids(9, 7) }), card(2, priced), card(3, { finishes: ["Foil", "Standard"] })],
    changelog: [entry(4), entry(2), entry(1)]
  }
]

const at = (place: number, night: (typeof feed)[number]) => ({ ...night, completedAt: `${dayOf(place)}T03:00:00.000Z` })

/** Tables that the history has of every night, and their columns that it does not have. */
const fromHistory: Readonly<Record<string, ReadonlyArray<string>>> = {
  products: ["price_extra"],
  product_languages: [],
  product_finishes: [],
  expansions: [],
  expansion_languages: [],
  external_ids: ["list_position"],
  deployments: [],
  deployment_changes: [],
  drift: [],
  source_prices: [],
  marketplace_prices: [],
  readings: [],
  reused_ids: []
}

/** What pruning leaves in the home as it was. */
const isLeft = (table: string) => table === "drift" || /_prices$|^readings$|^reused_ids$/.test(table)
const isOfChanges = (table: string) => ["changes", "price_moves", "reconciliations"].includes(table)

/** A home of four nights, pruned to the last two, and the drop that it had before. */
const Pruned = shared("Pruned", function* () {
  yield* publishNights(feed.map((night, index) => [nightId(index + 1), at(index + 1, night)]))
  const whole = yield* temporaryFolder
  yield* exportTo(whole)
  const now = Date.parse(`${dayOf(5)}T03:00:00.000Z`)
  yield* runPrune({ days: null, last: 1, monthly: false }, false).pipe(showing(now))
  return { whole }
})

const manifestIn = (folder: string, table: string, dt: string) =>
  JSON.parse(readFileSync(join(folder, `${table}/v=1/game=${gameId}/dt=${dt}/_manifest.json`), "utf8")) as Readonly<
    Record<string, unknown>
  >

suite(Layer.provideMerge(Pruned.layer, emptyHome), "an export of nights that were pruned", (it) => {
  it("writes what the history has of them, row by row as they were, and says once what is lost", function* () {
    const { whole } = yield* Pruned
    const folder = yield* temporaryFolder
    const [game] = (yield* exportTo(folder)).games
    const lost = new Map<string, Array<string>>()
    for (const { dt, table } of game?.notKept ?? []) lost.set(table, [...(lost.get(table) ?? []), dt])
    for (const { columns, table } of contractsIn(whole)) {
      const left = fromHistory[table]
      if (left === undefined) {
        // The first night has no changes to lose.
        const days = isOfChanges(table) ? [dayOf(2)] : [dayOf(1), dayOf(2)]
        if (!["nights", "price_sources"].includes(table)) assert.deepStrictEqual(lost.get(table), days, table)
        continue
      }
      const names = columns.map(({ name }) => name).filter((name) => !left.includes(name))
      const rows = (of: string) => fileRows(`select distinct ${names.join(", ")} ${dropRows(of, table)} order by all`)
      assert.deepStrictEqual(yield* rows(folder), yield* rows(whole), table)
      const origins = [1, 2, 3, 4].map((place) => manifestIn(folder, table, dayOf(place)).fromHistory)
      assert.deepStrictEqual(origins, isLeft(table) ? [false, false, false, false] : [true, true, false, false], table)
      for (const { comment, name } of columns.filter((column) => left.includes(column.name))) {
        assert.match(comment, /; in a partition made from the history /, `${table}.${name}`)
      }
    }
    assert.isFalse(manifestIn(whole, "products", dayOf(1)).fromHistory)
    const text = exportedText({
      to: folder,
      format: "files",
      decimals: "exact",
      games: game === undefined ? [] : [game],
      strays: []
    })
    assert.match(
      text,
      /rebuilt from the history, because the nights were pruned: .*products, .* of 2 days \(2026-05-01 to 2026-05-02\)/
    )
    assert.match(text, /pruned, so not exported: .*refusals, .* of 2 days \(2026-05-01 to 2026-05-02\)/)
    const [again] = (yield* exportTo(folder)).games
    assert.deepStrictEqual([again?.partitions, again?.notKept], [[], []])
  })

  it("has what its contract says in the columns that the history does not know", function* () {
    const { whole } = yield* Pruned
    const folder = yield* temporaryFolder
    yield* exportTo(folder, { tables: ["products", "external_ids"] })
    const rowsOf = (sql: string) => fileRows(sql)
    const extras = (of: string) =>
      rowsOf(`select snapshot_id[8]::int as day, count(price_extra)::int as known ${dropRows(of, "products")}
          group by day order by day`)
    assert.deepStrictEqual(
      (yield* extras(whole)).map(({ known }) => known),
      [2, 3, 3, 2]
    )
    assert.deepStrictEqual(
      (yield* extras(folder)).map(({ known }) => known),
      [0, 0, 3, 2]
    )
    const ofFirst = (of: string) =>
      rowsOf(`select external_id, list_position ${dropRows(of, "external_ids")}
          where snapshot_id = '${nightId(1)}' order by list_position`)
    assert.deepStrictEqual(
      (yield* ofFirst(whole)).map(({ external_id: id }) => id),
      ["8", "7", "8"]
    )
    assert.deepStrictEqual(
      (yield* ofFirst(folder)).map(({ external_id: id, list_position: place }) => `${id} ${place}`),
      ["7 1", "8 2"]
    )
  })

  it.full("says in Iceberg snapshots and Delta commits that they were made from the history", function* () {
    const asDelta = yield* temporaryFolder
    yield* exportTo(asDelta, { tables: ["products"], format: "delta" })
    const origins = commitsIn(join(asDelta, "products")).map(([line]) => line?.commitInfo?.operationParameters)
    assert.deepStrictEqual(
      origins.slice(1).map((facts) => facts?.["cardlake.from_history"]),
      ["true", "true", undefined, undefined]
    )
    const folder = yield* temporaryFolder
    yield* exportTo(folder, { tables: ["products"], format: "iceberg" })
    assert.deepStrictEqual(
      metadataOf(join(folder, "products")).snapshots.map(({ summary }) => summary["cardlake.from_history"]),
      ["true", "true", undefined, undefined]
    )
  })
})
