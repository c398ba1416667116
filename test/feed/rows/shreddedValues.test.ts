import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { sqlText } from "../../../src/store/lake/duckdb/Lake.ts"
import { instantMicros } from "../../../src/feed/rows/batch/numberColumns.ts"
import { roundedTo } from "../../../src/feed/rows/batch/roundedTo.ts"
import { emptyHome } from "../../store/lake/handMadeNights.ts"
import { fileRows } from "../../store/lake/tableRows.ts"
import { testIn } from "../../support/suite.ts"

/** What DuckDB makes of SQL expressions, as text. */
const inDuckDB = (expressions: ReadonlyArray<string>) =>
  Effect.map(fileRows(`select unnest([${expressions.map((one) => `(${one})::varchar`).join(", ")}]) as said`), (rows) =>
    rows.map(({ said }) => said)
  )

const dates = [
  "2024-02-29",
  "2023-02-29",
  "2024-02-31",
  "2024-13-01",
  "0001-01-01",
  "9999-12-31",
  "1969-12-31",
  "2024-06-15"
]
const times = [
  "00:00:00",
  "23:59:59",
  "24:00:00",
  "24:00:00.5",
  "24:00:01",
  "25:00:00",
  "12:60:00",
  "23:59:60",
  "07:08:09.1",
  "07:08:09.123456",
  "07:08:09.123456789"
]
const zones = ["Z", "+00:00", "-05:30", "+14:00", "", "z", "+0530"]

testIn(emptyHome)("an instant is read as DuckDB reads it, and a text that is no instant gives none", function* () {
  const whole = dates.flatMap((date) => times.flatMap((time) => zones.map((zone) => `${date}T${time}${zone}`)))
  const texts = [...whole, "nullT00:00:00.000Z", "2024-06-15", "2024-06-15 00:00:00Z", ""]
  const pattern = String.raw`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})`
  const read = yield* inDuckDB(
    texts.map(
      (text) =>
        `case when regexp_full_match(${sqlText(text)}, '${pattern}') then epoch_us(try_cast(${sqlText(text)} as timestamptz)) end`
    )
  )
  assert.deepStrictEqual(
    texts.map((text) => [text, instantMicros(text)?.toString() ?? null]),
    texts.map((text, at) => [text, read[at]])
  )
})

testIn(emptyHome)("a percentage is rounded as DuckDB rounds the text of it", function* () {
  const edges = [
    0.00005, 0.00015, 0.00025, -0.00005, -0.00015, 99_999_999.99994, 99_999_999.99995, -1e8, 12.34565, -0, 0.1,
    33.333333333333336
  ]
  const places = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 5 }))
  const few = fc.sample(places, { numRuns: 300, seed: 7 }).map(([digits, point]) => digits / 10 ** point)
  const drawn = fc.sample(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { numRuns: 500, seed: 7 })
  // DuckDB reads a negative exponent otherwise: -7e-323 is -0.0001.
  const figures = [...edges, ...few, ...drawn].filter((figure) => !String(figure).includes("e"))
  const round = roundedTo(4, 1e12)
  const kept = yield* inDuckDB(figures.map((figure) => `(try_cast('${figure}' as decimal(12, 4)) * 10000)::bigint`))
  assert.deepStrictEqual(
    figures.map((figure) => [figure, round(figure) === null ? null : String(round(figure)).replace(/^-0$/, "0")]),
    figures.map((figure, at) => [figure, kept[at]])
  )
})
