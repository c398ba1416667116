import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { DialectName } from "../../../../src/feed/contract/dialect/dialects.ts"
import { Current, readCurrent, Home } from "../../../../src/store/home/Home.ts"
import { type Part, readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import { writeJson } from "../../../../src/store/home/jsonFile.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { RunReport } from "../../../../src/night/observe/RunReport.ts"
import { gameReport } from "../../../../src/night/run/commitRun.ts"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runPrune } from "../../../../src/night/run/runPrune.ts"
import { runRepair } from "../../../../src/night/run/repair/runRepair.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { currentOf } from "../currentOf.ts"
import { idOf, card, gameId } from "../invented.ts"
import { emptyHome, type Said, nightTime, publishNights } from "../handMadeNights.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { lakeRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

const inSpec = (low: number): Said => ({
  products: [card(1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })]
})
const inLive = (low: number): Said => ({
  dialect: "live",
  products: [card(1, { pricesByFinish: { Standard: { cardmarket: { currency: "EUR", low } } } })]
})

const rows = lakeRows("from price_sources")
const specRows = [
  { source: "sourceEur", currency: "EUR", title: "Source EUR", url: null },
  { source: "sourceUsd", currency: "USD", title: "Source USD", url: null },
  { source: "marketplace", currency: null, title: "Marketplace", url: null }
]
const liveRows = [
  { source: "sourceEur", currency: "EUR", title: "Cardmarket", url: "https://www.cardmarket.com" },
  { source: "sourceUsd", currency: "USD", title: "TCGplayer", url: "https://www.tcgplayer.com" },
  { source: "marketplace", currency: null, title: "CardNexus", url: "https://cardnexus.com" }
]
const readings = Effect.map(lakeRows("select dialect, is_confirmation from readings"), (all) =>
  all.map(({ dialect, is_confirmation }) => `${String(dialect)}${is_confirmation === true ? ", unchanged" : ""}`)
)

/** The report of a night that found the published rows again, in these words, and what that night publishes. */
const unchangedNight = Effect.fnUntraced(function* (on: number, dialect: DialectName) {
  const home = yield* Home
  const [published] = (yield* readSnapshots(gameId)).slice(-1)
  if (published === undefined) return yield* Effect.die("no snapshot")
  const startedAt = nightTime(on)
  const run = idOf(`${startedAt.replaceAll(/[-:.]/g, "")}-0000`)
  const { manifest } = published
  const game = gameReport({ verdict: "unchanged", manifest, dialect, diff: null, previous: published, reasons: [] })
  const report = { run, kind: "nightly", why: null, startedAt, verdict: "unchanged", seconds: 1 } as const
  yield* writeJson(home.run(run), RunReport, { ...report, games: [{ ...game, seconds: 1 }] })
  yield* publish(run, yield* readCurrent, yield* lockHome("nightly", run))
  return home.run(run)
}, Effect.scoped)

testIn(emptyHome)(
  "price_sources has the names of the words of the last reading, also of one that found nothing new",
  function* () {
    yield* Effect.scoped(publishNights([inSpec(1)]))
    assert.deepStrictEqual(yield* rows, specRows)
    yield* unchangedNight(3, "live")
    assert.deepStrictEqual(yield* rows, liveRows)
    assert.deepStrictEqual(yield* readings, ["spec", "live, unchanged"])
    yield* unchangedNight(4, "spec")
    assert.deepStrictEqual(yield* rows, specRows)
    const last = yield* unchangedNight(5, "live-july")
    assert.deepStrictEqual(yield* rows, liveRows)
    // Reports go when they are old; what they said of readings stays.
    yield* unchangedNight(1, "spec")
    yield* runPrune({ days: 1, last: null, monthly: false }, false).pipe(showing(Date.parse("2026-07-01T00:00:00Z")))
    assert.isFalse(existsSync(last))
    assert.deepStrictEqual(yield* readings, [
      "spec",
      "spec, unchanged",
      "live, unchanged",
      "spec, unchanged",
      "live-july, unchanged"
    ])
    assert.deepStrictEqual(yield* rows, liveRows)
  }
)

testIn(emptyHome)("price_sources follows a night in other words, and a rollback takes its names back", function* () {
  yield* Effect.scoped(publishNights([inSpec(1), inLive(2)]))
  assert.deepStrictEqual(yield* rows, liveRows)
  assert.deepStrictEqual(yield* readings, ["spec", "live"])
  assert.deepStrictEqual(yield* lakeRows("select source, low from source_prices"), [
    { source: "sourceEur", low: "2.0000" }
  ])
  yield* runRollback({ gameId, wanted: null, why: null })
  assert.deepStrictEqual(yield* rows, specRows)
  assert.deepStrictEqual(yield* readings, ["spec"])
})

testIn(emptyHome).full("a night's words outlive its snapshot", function* () {
  const home = yield* Home
  const june = showing(Date.parse("2026-06-02T00:00:00Z"))
  const [first] = yield* Effect.scoped(publishNights([inLive(1), inSpec(2), inSpec(3), inSpec(4)]))
  const { games } = yield* readCurrent
  const { history } = currentOf(gameId, games[gameId]?.published ?? [])
  yield* writeJson(home.current, Current, { games, history })
  yield* runCompact([]).pipe(june)
  yield* runPrune({ days: null, last: 1, monthly: false }, false).pipe(june)
  assert.isFalse(existsSync(first?.folder ?? home.root))
  assert.deepStrictEqual(yield* readings, ["live", "spec", "spec", "spec"])
  const partFile = () => {
    const month = join(home.months(gameId), "month=2026-05")
    return join(month, readdirSync(month).at(-1) ?? "", "part.json")
  }
  const wordsOfPart = () => (JSON.parse(readFileSync(partFile(), "utf8")) as Part).nights.map(({ dialect }) => dialect)
  assert.deepStrictEqual(wordsOfPart(), ["live", "spec", "spec", "spec"])
  // Then only the lake knows them.
  rmSync(partFile())
  yield* runRepair(true).pipe(Effect.scoped, june)
  assert.deepStrictEqual(wordsOfPart(), ["live", "spec", "spec", "spec"])
  assert.deepStrictEqual(yield* readings, ["live", "spec", "spec", "spec"])
})
