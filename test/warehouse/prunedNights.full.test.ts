import { testIn } from "../support/suite.ts"
import { assert } from "@effect/vitest"
import { exportedText } from "../../pipelines/print/exportText.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { card, expansion, gameId } from "../store/lake/invented.ts"
import { showing } from "../../src/night/run/showing.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { dropRows, exportTo, temporaryFolder, dayOf, nightId } from "./FourNights.ts"
import { publishNights } from "./publishNights.ts"

const few = { tables: ["games", "drift", "source_prices"] }

testIn(emptyHome)(
  "an export names nights that were taken back and then pruned, and rows of theirs that it cannot remove",
  function* () {
    // The first two nights are of one day.
    const times = [`${dayOf(1)}T03:00:00.000Z`, `${dayOf(1)}T15:00:00.000Z`, `${dayOf(2)}T03:00:00.000Z`]
    const products = [card(1, { glimmer: true })]
    yield* publishNights(
      [...times, `${dayOf(3)}T03:00:00.000Z`].map((completedAt, index) => [
        nightId(index + 1),
        { expansions: [expansion(71)], products, completedAt }
      ])
    )
    const before = yield* temporaryFolder
    yield* exportTo(before, few)
    // The second night is taken back; the first counts, and goes.
    for (const wanted of [nightId(1), nightId(3), nightId(4)]) yield* runRollback({ gameId, wanted, why: null })
    const now = Date.parse(`${dayOf(5)}T03:00:00.000Z`)
    yield* runPrune({ days: null, last: 1, monthly: false }, false).pipe(showing(now))
    const text = exportedText(yield* exportTo(before, few))
    assert.include(
      text,
      `hollowmere: taken back and then pruned, in table nights with counts = false: ${nightId(2)} (${dayOf(1)})`
    )
    assert.match(
      text,
      /pruned: games of 1 day \(2026-05-01\)\. On these days the export still has rows of nights that were rolled back/
    )
    const nightsIn = (table: string) =>
      fileRows(`select snapshot_id as night ${dropRows(before, table)} where snapshot_date = '${dayOf(1)}' order by 1`)
    assert.deepStrictEqual(yield* nightsIn("drift"), [{ night: nightId(1) }])
    assert.deepStrictEqual(yield* nightsIn("source_prices"), [])
    assert.deepStrictEqual(yield* nightsIn("games"), [{ night: nightId(1) }, { night: nightId(2) }])
    assert.deepStrictEqual((yield* verifyDrop(before)).faults, [])
    const first = exportedText(yield* exportTo(yield* temporaryFolder, few))
    assert.include(first, `hollowmere: taken back and then pruned, so not exported: ${nightId(2)}`)
  }
)
