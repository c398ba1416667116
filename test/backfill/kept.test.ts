import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { appendFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { verdictText } from "../../pipelines/night/verdictText.ts"
import { examineBackfill } from "../../src/night/run/backfill/backfillQueue.ts"
import { checkHome, runRepair } from "../../src/night/run/repair/runRepair.ts"
import { runCompact } from "../../src/night/run/runCompact.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { onDay } from "../homes/frozenHome.ts"
import { gameId } from "../store/lake/invented.ts"
import { filesBelow } from "../pipelines/cli.ts"
import type { TinyHome } from "../safety/tinyNights.ts"
import { backfill, Backfilled, valuesOf } from "./Backfilled.ts"
import { suite } from "../support/suite.ts"

const answersOf = (home: TinyHome) => join(home.root, "backfill", `game=${gameId}`, "answers")
const partsOf = (home: TinyHome) => join(home.root, "history", `game=${gameId}`, "backfill")
const pricesOf = (home: TinyHome) => valuesOf(home, "from backfilled_prices order by all")

suite(Backfilled.layer, "what a backfill brought", (it) => {
  it("is examined, and a damaged answer or history is mended from the other", function* () {
    const { home, marketplace } = yield* Backfilled.changed
    const inHome = Effect.provideContext(home.services)
    const prices = yield* pricesOf(home)
    assert.lengthOf(prices, 10)
    assert.match(yield* inHome(checkHome), /^Every file is intact/)

    // An answer whose rows the history has.
    const [name = ""] = readdirSync(answersOf(home))
    writeFileSync(join(answersOf(home), name), "damaged")
    writeFileSync(join(answersOf(home), "mine.txt"), "foreign")
    const found = yield* Effect.flip(inHome(checkHome))
    assert.match(
      found.message,
      /answers\/1-2025-05-07-2026-05-06\.json\.gz is damaged: .+ cardlake backfill hollowmere$/
    )
    const mended = yield* inHome(runRepair(false).pipe(onDay("05-08")))
    assert.deepStrictEqual(mended.left, [])
    assert.match(mended.done[0] ?? "", /^1 damaged answers of the backfill of hollowmere are set aside/)
    assert.match(yield* inHome(checkHome), /^Every file is intact/)
    assert.include(readdirSync(answersOf(home)), "mine.txt")
    assert.strictEqual((yield* backfill(home)).requests, 0)

    // A history whose answers are there, but for the one that is gone: that is asked for again.
    for (const file of filesBelow(partsOf(home)).filter((one) => one.endsWith("prices.parquet")))
      writeFileSync(file, "")
    const again = yield* inHome(runRepair(false).pipe(onDay("05-08")))
    assert.match(again.done[0] ?? "", /the damaged history of the backfill of hollowmere is set aside/)
    assert.match(again.left[0] ?? "", /1-2025-05-07-2026-05-06\.json\.gz is damaged: it is missing/)
    assert.lengthOf(yield* pricesOf(home), 5)
    assert.strictEqual((yield* backfill(home)).requests, 1)
    yield* home.night.pipe(onDay("05-09"))
    assert.deepStrictEqual(yield* pricesOf(home), prices)
    assert.isTrue((yield* inHome(checkHome)).startsWith("Every file is intact"))
    yield* marketplace.sandbox.games
  })

  it("stays after a prune, a rollback and a compaction", function* () {
    const { home } = yield* Backfilled.changed
    const inHome = Effect.provideContext(home.services)
    const prices = yield* pricesOf(home)
    // A year before: a second part.
    yield* backfill(home, { from: "2025-01-01" }).pipe(onDay("05-08"))
    yield* home.night.pipe(onDay("05-08"))
    assert.lengthOf(readdirSync(partsOf(home)), 2)
    yield* inHome(runCompact([]).pipe(onDay("05-09")))
    assert.lengthOf(readdirSync(partsOf(home)), 1)
    assert.deepStrictEqual(yield* pricesOf(home), prices)
    yield* inHome(runRollback({ gameId, wanted: null, why: null }).pipe(onDay("05-09")))
    // The night of 5 May was taken back, so the service's word counts on that day.
    assert.deepStrictEqual(
      yield* valuesOf(home, "select day::varchar, origin, market_value from price_series(1, from_day := '2026-05-03')"),
      [
        ["2026-05-03", "night", 11],
        ["2026-05-04", "history", 13],
        ["2026-05-05", "history", 14]
      ]
    )
    const rules = { days: 30, last: null, monthly: false }
    const dry = yield* inHome(runPrune(rules, true).pipe(onDay("06-20")))
    assert.strictEqual(dry.answers, 4)
    yield* inHome(runPrune(rules, false).pipe(onDay("06-20")))
    assert.deepStrictEqual(readdirSync(answersOf(home)), [])
    assert.deepStrictEqual(yield* pricesOf(home), prices)
    assert.strictEqual((yield* backfill(home).pipe(onDay("06-21"))).requests, 0)
    assert.match(yield* inHome(checkHome), /^Every file /)
  })

  it("is in the verdict of the night that took it in, and doctor says how far the queue is", function* () {
    const { home, night } = yield* Backfilled.changed
    assert.include(verdictText(night), "Backfill of hollowmere: 10 prices of 2 products loaded from 2 answers\n")
    const says = Effect.map(
      Effect.provideContext(examineBackfill.pipe(onDay("05-08")), home.services),
      (found) => found?.says
    )
    assert.strictEqual(yield* says, "hollowmere 2 of 2 questions answered")
    const ledger = join(home.root, "backfill", `game=${gameId}`, "ledger.ndjson")
    const queued = Array.from({ length: 1000 }, (_, index) =>
      JSON.stringify({
        product: 1000 + index,
        from: "2025-05-09",
        to: "2026-05-08",
        status: "queued",
        at: "2026-05-08T00:00:00.000Z"
      })
    )
    appendFileSync(ledger, `${queued.join("\n")}\n`)
    // 117 within an hour, the other 883 at 116 an hour: 8.61 hours after 03:00.
    assert.strictEqual(
      yield* says,
      "hollowmere 2 of 1,002 questions answered. 1,000 remain; to request them by 2026-05-08 11:36 UTC, at 120 an hour, continue with: cardlake backfill hollowmere"
    )
  })

  it("may be gone with its folder: the lake has it, and nothing is wrong", function* () {
    const { home } = yield* Backfilled.changed
    rmSync(join(home.root, "backfill"), { recursive: true })
    assert.match(yield* Effect.provideContext(checkHome, home.services), /^Every file is intact/)
    assert.lengthOf(yield* pricesOf(home), 10)
  })
})
