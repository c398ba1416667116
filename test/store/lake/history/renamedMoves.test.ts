import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { before, nightlyRows, priceMoves } from "../../../../src/store/lake/history/nightlyTables.ts"
import { contractVersion } from "../../../../src/feed/schema/snapshotTables.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { makeFolder } from "../../../../src/store/home/disk.ts"
import { Lake, sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { testIn } from "../../../support/suite.ts"
import { emptyHome } from "../handMadeNights.ts"
import { fileRows } from "../tableRows.ts"

testIn(emptyHome)("price moves of a night before a figure was renamed are under its new name", function* () {
  const folder = (yield* Home).work("earlier")
  yield* makeFolder(folder)
  yield* Effect.flatMap((yield* Lake).session, (session) =>
    session.run(
      "Write a night's moves",
      `copy (select 'g' as game_id, 7 as product_id, 1.5::decimal(18, 4) as old_low, 2::decimal(18, 4) as low, null::decimal(18, 4) as old_mid,
         3::decimal(18, 4) as mid) to ${sqlText(`${folder}/price_moves.parquet`)} (format parquet)`
    )
  ).pipe(Effect.scoped)
  const columns = priceMoves.columns.flatMap((column) => {
    if (column.name === "old_low") return []
    const renamed = { ...column, name: "lowest", formerly: { name: "low", until: contractVersion } }
    return column.name === "low" ? [before(renamed), renamed] : [column]
  })
  const rows = nightlyRows({ ...priceMoves, columns }, [{ folder, contractVersion: contractVersion - 1 }])
  assert.deepStrictEqual(yield* fileRows(`select product_id, old_lowest, lowest, old_mid, mid, high from (${rows})`), [
    { product_id: "7", old_lowest: "1.5000", lowest: "2.0000", old_mid: null, mid: "3.0000", high: null }
  ])
})
