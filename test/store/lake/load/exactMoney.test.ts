import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { join } from "node:path"
import { readSnapshots } from "../../../../src/store/home/Manifest.ts"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { parquetRows } from "../../../pipelines/parquetRows.ts"
import { catalogueFolder, cardText, gameId } from "../invented.ts"
import { live } from "../../../support/suite.ts"
import { rounds } from "../../../tried.ts"
import { holds } from "../heldByFastCheck.ts"
import { fileRows, lakeRows, tableRows } from "../tableRows.ts"

const pad = (figure: number): string => String(figure).padStart(4, "0")

/** Texts of prices that fit four decimal places: any JSON spelling of 0 to nine billion. */
const fittingPrices: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."0 0.0 -0 0.1 0.10 14.99 1e2 1E+2 1e-4 25e-2 100.0000 1.00000 234567.89 0.0001 1.005 4.35 1.1e0".split(" "),
    ..."8999999999.9999 9000000000 9e9 79228162.5142 4503599627.3705".split(" ")
  ),
  fc.tuple(fc.nat(8_999_999), fc.nat(999), fc.nat(9_999)).map(([a, b, c]) => `${a * 1000 + b}.${pad(c)}`),
  fc.tuple(fc.nat(999_999), fc.nat(99)).map(([whole, cents]) => `${whole}.${pad(cents).slice(2)}`),
  fc.nat(9_000_000_000).map(String)
)

/** Texts that do not fit: too long, too large, negative, no number, more digits than a double holds. */
const unfittingPrices: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."0.00001 1.23456 1e-5 9000000000.0001 9000000001 1e400 -1e400 1e10 -0.01 -5".split(" "),
    ...'"14.99" "NaN" "" true [] {} {"amount":1} 14.990000000000000001 0.1000000000000000055'.split(" ")
  ),
  fc.tuple(fc.nat(99_999), fc.integer({ min: 1, max: 9 })).map(([whole, last]) => `${whole}.0000${last}`),
  fc.integer({ min: -999_999, max: -1 }).map(String)
)

/** A number's text without exponent, sign of zero and trailing zeros: equal for equal decimals. */
const plainDecimal = (text: string): string => {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e")
  const [whole = "", places = ""] = mantissa.replace("-", "").split(".")
  const digits = (whole + places).padStart(whole.length + places.length, "0")
  const point = whole.length + Number(exponent)
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), "0")
  const at = Math.max(1, point)
  const left = padded
    .padEnd(at, "0")
    .slice(0, at)
    .replace(/^0+(?=\d)/, "")
  const right = padded.slice(at).replace(/0+$/, "")
  return right === "" ? left : `${left}.${right}`
}

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

live(
  "money is equal from the wire to Parquet and lake.duckdb where it fits four places, else refused, never rounded",
  () =>
    holds(wire, rounds(40, 3), ({ fitting, mixed }) =>
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
          const inLake = yield* lakeRows(
            "select product_id, low::varchar as low from source_prices order by product_id"
          )
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
)
