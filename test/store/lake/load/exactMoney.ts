import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { join } from "node:path"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { parquetRows } from "../../../pipelines/parquetRows.ts"
import { catalogueFolder, cardText, gameId } from "../invented.ts"
import { holds } from "../heldByFastCheck.ts"
import { fittingPrices, plainDecimal, unfittingPrices } from "./priceTexts.ts"
import { fileRows, lakeRows, tableRows } from "../tableRows.ts"

const refusing = "refusemere"

/** Fitting prices in one game, mixed ones in another, whose snapshot is held for its refusals. */
const wire = fc.record({
  fitting: fc.array(fittingPrices, { minLength: 40, maxLength: 120 }),
  mixed: fc
    .array(
      fc.oneof(
        fittingPrices.map((text) => ({ text, fits: true })),
        unfittingPrices.map((text) => ({ text, fits: false }))
      ),
      { minLength: 40, maxLength: 120 }
    )
    .filter((texts) => texts.some(({ fits }) => fits) && texts.some(({ fits }) => !fits))
})

const path = "pricesByFinish.Standard.sourceEur.low"

/** Sends prices from the wire to the lake and reads them back with two readers; ids count from 1. */
export const moneyIsExact = (cases: number) =>
  holds(wire, cases, ({ fitting, mixed }) =>
    Effect.gen(function* () {
      const catalogue = yield* catalogueFolder({
        [gameId]: [{ products: fitting.map((text, index) => cardText(index + 1, text)) }],
        [refusing]: [
          { products: mixed.map(({ text }, index) => cardText(index + 1, text).replaceAll(gameId, refusing)) }
        ]
      })
      const { inHome, night } = yield* marketplaceAndHome({ catalogue })
      const report = yield* night()
      assert.deepStrictEqual(
        report.games.map(({ verdict }) => verdict),
        ["published", "held"],
        JSON.stringify(report.games)
      )
      yield* Effect.gen(function* () {
        const sent = fitting.map((text, index) => [String(index + 1), plainDecimal(text)] as const)
        const [published] = yield* readSnapshots(gameId)
        const inParquet = parquetRows(join(published?.folder ?? "", "source_prices.parquet"))
        assert.deepStrictEqual(
          inParquet.map((row) => [String(row["product_id"]), String(row["low"])] as const),
          sent
        )
        const inLake = yield* lakeRows("select product_id, low::varchar as low from source_prices order by product_id")
        assert.deepStrictEqual(
          inLake.map((row) => [String(row["product_id"]), plainDecimal(String(row["low"]))] as const),
          sent
        )

        const [held] = yield* readSnapshots(refusing)
        const folder = held?.folder ?? ""
        const expected = mixed.map(
          ({ fits, text }, index) => [String(index + 1), fits ? plainDecimal(text) : path] as const
        )
        const kept = (yield* tableRows(folder, "source_prices")).map(
          (row) => [String(row["product_id"]), plainDecimal(String(row["low"]))] as const
        )
        const refused = (yield* tableRows(folder, "refusals")).map(
          (row) => [String(row["record_id"]), String(row["path"]).slice(0, path.length)] as const
        )
        assert.deepStrictEqual(
          [...kept, ...refused].sort(([a], [b]) => Number(a) - Number(b)),
          expected
        )
        const [counts] = yield* fileRows(
          `select (select count(*) from read_parquet('${folder}/products.parquet')) + ${report.games[1]?.refused} as n`
        )
        assert.strictEqual(Number(counts?.["n"]), mixed.length, "accepted + refused = sent")
      }).pipe(inHome)
    }).pipe(Effect.scoped)
  )
