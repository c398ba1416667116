import { assert } from "@effect/vitest"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { vi } from "vitest"
import { Effect } from "effect"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { RunReport } from "../../../../src/night/observe/RunReport.ts"
import { unreadReport } from "../../../../src/night/run/commitRun.ts"
import { diffSnapshots } from "../../../../src/store/diff/diffSnapshots.ts"
import { Current, readCurrent, withPublications, Home } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { readSnapshot } from "../../../../src/store/home/Manifest.ts"
import { writeJson } from "../../../../src/store/home/jsonFile.ts"
import { emptyHome, snapshotOf } from "../handMadeNights.ts"
import { rebuiltAfter } from "../rebuiltAfter.ts"
import { card, expansion, gameId, idOf } from "../invented.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows, type Row } from "../tableRows.ts"
import { suite } from "../../../support/suite.ts"

vi.setConfig({ testTimeout: 60_000 })

/**
 * Nights whose ids sort by night, and whose readings have the time of that night's clock. The third and the
 * fifth were read with a clock that was a year ahead. Of each card its id, name and price.
 */
const nights: ReadonlyArray<readonly [id: string, readAt: string, cards: string]> = [
  ["20260510T030000000Z-0001", "2026-05-10T03:00:00.000Z", "1 Asp 1, 2 Bee 5"],
  ["20260511T030000000Z-0002", "2026-05-11T03:00:00.000Z", "1 Adder 2, 2 Bee 5"],
  ["20270512T030000000Z-0003", "2027-05-12T03:00:00.000Z", "1 Asp 3, 3 Cat 7"],
  ["20270512T030000001Z-0004", "2026-05-13T03:00:00.000Z", "1 Boa 4, 3 Cat 8"],
  ["20270514T030000000Z-0005", "2027-05-14T03:00:00.000Z", "1 Boa 4, 3 Cat 9, 4 Doe 1"],
  ["20270514T030000001Z-0006", "2026-05-15T03:00:00.000Z", "1 Boa 4, 4 Doe 9"]
]

const publishNight = Effect.fnUntraced(function* ([name, readAt, text]: (typeof nights)[number]) {
  const cards = text.split(", ").map((one) => one.split(" "))
  const id = idOf(name)
  const home = yield* Home
  const current = yield* readCurrent
  const live = current.games[gameId]?.snapshot
  const before = live === undefined ? null : yield* readSnapshot(home.snapshot(gameId, live))
  const products = cards.map(([product = "", name = "", price]) => {
    const low = Number(price)
    return card(Number(product), {
      name,
      pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low, marketValue: low } } },
      externalIds: { mtgId: `${product}-${name}` }
    })
  })
  const said = { products, expansions: [expansion(1, { name: `After ${cards[0]?.[1]}` })], completedAt: readAt }
  const snapshot = yield* snapshotOf(id, said, before)
  if (before !== null) yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
  const step = { run: id, kind: "nightly", gameId, snapshot: id, deploymentId: null, at: readAt, why: null } as const
  yield* writeJson(home.current, Current, withPublications(current, [step]))
})

const publishLake = Effect.gen(function* () {
  yield* publish(idOf("lake"), yield* readCurrent, yield* lockHome("nightly", idOf("lake")))
}).pipe(Effect.scoped)

/** A later night that found nothing new. */
const foundNothingNew = Effect.fnUntraced(function* (run: string, startedAt: string, snapshot: string) {
  const game = unreadReport({ gameId, verdict: "unchanged", reason: null, snapshot: idOf(snapshot), seconds: 1 })
  const report = {
    run: idOf(run),
    kind: "nightly",
    why: null,
    startedAt,
    verdict: "unchanged",
    seconds: 1,
    games: [game]
  } as const
  yield* writeJson((yield* Home).run(report.run), RunReport, report)
})

const text = (rows: ReadonlyArray<Row>) => rows.map((row) => Object.values(row).join(" "))

/** What there was at a time, by hand; a night with a wrong clock counts as just before the next one. */
const known: ReadonlyArray<readonly [at: string, cards: ReadonlyArray<string>, prices: ReadonlyArray<string>]> = [
  ["2026-05-10 02:59", [], []],
  ["2026-05-10 03:00", ["1 Asp", "2 Bee"], ["1 1.0000", "2 5.0000"]],
  ["2026-05-12 12:00", ["1 Adder", "2 Bee"], ["1 2.0000", "2 5.0000"]],
  ["2026-05-13 03:00", ["1 Boa", "3 Cat"], ["1 4.0000", "3 8.0000"]],
  ["2026-05-14 12:00", ["1 Boa", "3 Cat"], ["1 4.0000", "3 8.0000"]],
  ["2026-05-15 03:00", ["1 Boa", "4 Doe"], ["1 4.0000", "4 9.0000"]],
  ["2028-01-01", ["1 Boa", "4 Doe"], ["1 4.0000", "4 9.0000"]]
]

const isRight = Effect.gen(function* () {
  for (const [at, cards, prices] of known) {
    const rows = yield* lakeRows(`
      select 'card ' || product_id || ' ' || name as said from products_at('${at}')
      union all select 'price ' || product_id || ' ' || market_value from prices_at('${at}')
      union all select 'id ' || external_id from external_ids_at('${at}')
      union all select 'expansion' from expansions_at('${at}')`)
    const expected = [
      ...cards.flatMap((one) => [`card ${one}`, `id ${one.replace(" ", "-")}`]),
      ...prices.map((one) => `price ${one}`),
      ...(cards.length === 0 ? [] : ["expansion"])
    ]
    assert.deepStrictEqual(text(rows).sort(), expected.sort(), at)
  }
  // Versions follow each other without a gap while the thing was there; none is empty or runs backwards.
  assert.deepStrictEqual(
    text(
      yield* lakeRows(
        "select product_id, name, valid_from::varchar, coalesce(valid_to::varchar, 'still') from product_history order by product_id, valid_from"
      )
    ),
    [
      "1 Asp 2026-05-10 03:00:00+00 2026-05-11 03:00:00+00",
      "1 Adder 2026-05-11 03:00:00+00 2026-05-13 02:59:59.999+00",
      "1 Asp 2026-05-13 02:59:59.999+00 2026-05-13 03:00:00+00",
      "1 Boa 2026-05-13 03:00:00+00 still",
      "2 Bee 2026-05-10 03:00:00+00 2026-05-13 02:59:59.999+00",
      "3 Cat 2026-05-13 02:59:59.999+00 2026-05-15 03:00:00+00",
      "4 Doe 2026-05-15 02:59:59.999+00 still"
    ]
  )
  assert.deepStrictEqual(text(yield* lakeRows("select place, seen_at::varchar from nights order by place")), [
    "1 2026-05-10 03:00:00+00",
    "2 2026-05-11 03:00:00+00",
    "3 2026-05-13 02:59:59.999+00",
    "4 2026-05-13 03:00:00+00",
    "5 2026-05-15 02:59:59.999+00",
    "6 2026-05-15 03:00:00+00"
  ])
  // A night without news belongs to the time between its night and the next.
  assert.deepStrictEqual(
    text(yield* lakeRows("select seen_at::varchar from readings where is_confirmation order by seen_at")),
    ["2026-05-10 15:00:00+00", "2026-05-13 15:00:00+00"]
  )
  assert.deepStrictEqual(
    text(
      yield* lakeRows(
        "select day::varchar, coalesce(market_value::varchar, state) from price_series(1, finish_name := 'Standard') order by day"
      )
    ),
    [
      "2026-05-10 1.0000",
      "2026-05-11 2.0000",
      "2026-05-12 not read",
      "2026-05-13 4.0000",
      "2026-05-14 not read",
      "2026-05-15 4.0000"
    ]
  )
  // Prices have the same time of reading as their night.
  assert.lengthOf(
    yield* lakeRows(
      "from source_price_history h join nights n using (game_id, snapshot) where h.seen_at <> n.seen_at or h.month <> '2026-05'"
    ),
    0
  )
  assert.lengthOf(yield* lakeRows("from source_price_history"), 13)
  // The last night at least three and a half days before is the second.
  assert.deepStrictEqual(
    text(yield* lakeRows("select product_id, old::varchar, new::varchar from movers(days := 4)")),
    ["1 2.0000 4.0000"]
  )
})

suite(emptyHome, "a night that was read with a clock a year ahead", (it) => {
  it("counts as just before the night that followed it, in its own files or in the wrong clock's month", function* () {
    yield* Effect.forEach(nights.slice(0, 3), publishNight)
    yield* runCompact([]).pipe(showing(Date.parse("2027-06-02T03:00:00Z")))
    yield* Effect.forEach(nights.slice(3), publishNight)
    yield* foundNothingNew("20260510T150000000Z-0009", "2026-05-10T15:00:00.000Z", nights[0]?.[0] ?? "")
    yield* foundNothingNew("20270512T030000001Z-0009", "2026-05-13T15:00:00.000Z", nights[3]?.[0] ?? "")
    // Ahead as well: its real time is unknown.
    yield* foundNothingNew("20270512T030000001Z-000a", "2027-05-13T15:00:00.000Z", nights[3]?.[0] ?? "")
    yield* publishLake
    assert.isTrue(existsSync(join((yield* Home).months(gameId), "month=2027-05")))
    yield* isRight
  })

  it("and a lake that has it at another time is rebuilt", function* () {
    const moved = "update old.nights set seen_at = '2027-05-12 03:00:00+00' where place = 3"
    const rebuilt = yield* rebuiltAfter(`${moved}; drop view old.files.made_from`)
    assert.deepStrictEqual(rebuilt, { before: false, after: true })
  })

  it("and stays there when the nights are compacted into their month", function* () {
    yield* runCompact([]).pipe(showing(Date.parse("2026-06-02T03:00:00Z")))
    yield* isRight
  })
})
