import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { globSync } from "node:fs"
import { basename, join } from "node:path"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { sqlText } from "../../../../src/store/lake/duckdb/Lake.ts"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome, publishNights } from "../handMadeNights.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { fileRows } from "../tableRows.ts"
import { testIn } from "../../../support/suite.ts"

/** Months with and without the first night of the game. */
const days = ["2026-04-29", "2026-04-30", "2026-05-01", "2026-05-02"]
const shapeOf = (file: string) =>
  Effect.map(fileRows(`describe from read_parquet(${sqlText(file)}, hive_partitioning = false)`), (columns) =>
    columns.map((one) => `${String(one["column_name"])} ${String(one["column_type"])}`)
  )

const assertSame = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  for (const [table, same] of Map.groupBy(files, (file) => basename(file))) {
    const shapes = yield* Effect.forEach(same, shapeOf)
    for (const shape of shapes) assert.deepStrictEqual(shape, shapes[0], `${table}: ${same.join(", ")}`)
  }
})

testIn(emptyHome)("all Parquet files of a table have the same columns in the same types and order", function* () {
  const { root } = yield* Home
  const filesOf = (pattern: string) => globSync(pattern, { cwd: root }).map((file) => join(root, file))
  const [catalogues = []] = fc.sample(wornCatalogues(4, 9), { numRuns: 1, seed: 3 })
  const nights = catalogues.map(({ expansions, products }, place) => ({
    products: [...products.values()],
    expansions: [...expansions.values()],
    completedAt: `${days[place]}T03:00:00.000Z`
  }))
  yield* Effect.scoped(publishNights(nights))
  yield* assertSame(filesOf("{snapshots,changes}/**/*.parquet"))
  yield* runCompact([]).pipe(showing(Date.parse("2026-06-02T05:30:00Z")))
  const months = filesOf("history/**/*.parquet")
  assert.deepStrictEqual([catalogues.length, months.length], [4, 10])
  yield* assertSame(months)
})
