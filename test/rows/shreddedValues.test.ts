import { assert, it } from "@effect/vitest"
import { dialects } from "../../src/contract/dialects.ts"
import { Effect } from "effect"
import * as fc from "fast-check"
import { sqlText } from "../../src/lake/duckdb/sqlText.ts"
import { instantMicros } from "../../src/rows/batch/instantMicros.ts"
import { roundedTo } from "../../src/rows/batch/roundedTo.ts"
import { expansionHash } from "../../src/rows/expansionHash.ts"
import { productHash } from "../../src/rows/productHash.ts"
import { rowHasher } from "../../src/rows/rowHash.ts"
import { tableNamed } from "../../src/schema/snapshotTables.ts"
import { emptyHome } from "../lake/handMadeReading.ts"
import { card } from "../lake/invented.ts"
import { fileRows } from "../lake/tableRows.ts"

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

it.live("an instant is read as DuckDB reads it, and a text that is no instant gives none", () =>
  Effect.gen(function* () {
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
  }).pipe(Effect.provide(emptyHome))
)

it.live("a percentage is rounded as DuckDB rounds the text of it", () =>
  Effect.gen(function* () {
    const odd = [
      0.00005, 0.00015, 0.00025, -0.00005, -0.00015, 99_999_999.99994, 99_999_999.99995, -1e8, 12.34565, -0, 0.1,
      33.333333333333336
    ]
    const places = fc.tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 5 }))
    const few = fc.sample(places, { numRuns: 300, seed: 7 }).map(([digits, point]) => digits / 10 ** point)
    const drawn = fc.sample(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { numRuns: 500, seed: 7 })
    // DuckDB reads a negative exponent otherwise: -7e-323 is -0.0001.
    const figures = [...odd, ...few, ...drawn].filter((figure) => !String(figure).includes("e"))
    const round = roundedTo(4, 1e12)
    const kept = yield* inDuckDB(figures.map((figure) => `(try_cast('${figure}' as decimal(12, 4)) * 10000)::bigint`))
    assert.deepStrictEqual(
      figures.map((figure) => [figure, round(figure) === null ? null : String(round(figure)).replace(/^-0$/, "0")]),
      figures.map((figure, at) => [figure, kept[at]])
    )
  }).pipe(Effect.provide(emptyHome))
)

/** Texts that DuckDB quotes within a row, and some that it almost would. */
const said = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 6 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    "",
    " ",
    "null",
    "NULL",
    "nulls",
    "it's",
    String.raw`a\b`,
    String.raw`a\'b`,
    " é",
    "é,",
    "[x]",
    "x y",
    "\u00a0x",
    "x\t"
  )
)
const product = fc.record({
  name: said,
  nameSlug: said,
  languages: fc.array(said, { maxLength: 3 }),
  finishes: fc.array(said, { maxLength: 2 }),
  expansionId: fc.option(fc.maxSafeInteger()),
  expansion: fc.option(fc.record({ id: fc.maxSafeInteger(), code: fc.option(said), name: said })),
  externalIds: fc.option(
    fc.record({
      sourceEur: fc.option(fc.array(fc.record({ finish: said, id: fc.maxSafeNat() }), { maxLength: 2 })),
      mtgId: said
    })
  ),
  attributes: fc.dictionary(fc.string(), said, { maxKeys: 2 }),
  releaseDate: fc.option(said)
})

const sqlOf = (value: unknown): string => {
  if (value === null || value === undefined) return "null"
  if (Array.isArray(value)) return `[${value.map(sqlOf).join(", ")}]`
  if (typeof value !== "object") return typeof value === "string" ? sqlText(value) : String(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `'${key}': ${sqlOf(inner)}`)
    .join(", ")}}`
}

it.live("a row hash is the md5 of DuckDB's own text of the row", () =>
  Effect.gen(function* () {
    const hashOf = rowHasher(tableNamed("products").columns, productHash(dialects.spec))
    const products = fc.sample(product, { numRuns: 200, seed: 11 }).map((more, at) => card(at, more))
    const rows = products.map((one) => {
      const { id, code, name } = (one["expansion"] ?? {}) as Record<string, unknown>
      const expansion = one["expansion"] === null ? null : { id, code, name, symbolUrl: null }
      const { mtgId, sourceEur } = (one["externalIds"] ?? {}) as Record<string, unknown>
      const none = { mtgOracleId: null, konamiStyleId: null, lorcanaId: null, fabId: null, riftboundId: null }
      const ids = one["externalIds"] === null ? null : { sourceEur, sourceUsd: null, mtgId, ...none }
      const before = ["productType", "productCategory", "name", "nameSlug", "languages", "finishes", "expansionId"]
      const told = [...before.map((key) => one[key]), expansion, ids, null, null, null, null, null, one["releaseDate"]]
      return `md5(row(${told.map(sqlOf).join(", ")}, ${sqlText(JSON.stringify(one["attributes"]))}, null, null)::varchar)`
    })
    assert.deepStrictEqual(products.map(hashOf), yield* inDuckDB(rows))
  }).pipe(Effect.provide(emptyHome))
)

it.live("the row hash of an expansion is one of the feed's own words, whatever the order of its keys", () =>
  Effect.gen(function* () {
    const hashOf = rowHasher(tableNamed("expansions").columns, expansionHash)
    const told = { id: 3, gameId: "fable", name: "Marsh, the first", code: null, languages: ["en", "de"], cardCount: 9 }
    const dated = { ...told, releaseDate: "2024-03-01T00:00:00Z", attributes: { block: "Marsh" } }
    const sql = `md5(row('fable', null, 'Marsh, the first', null, ['en', 'de'], '2024-03-01T00:00:00Z', 9,
      null, null, null, '{"block":"Marsh"}', null)::varchar)`
    const turned = Object.fromEntries(Object.entries(dated).toReversed())
    const [expected] = yield* inDuckDB([sql])
    assert.deepStrictEqual([hashOf(dated), hashOf(turned)], [expected, expected])
  }).pipe(Effect.provide(emptyHome))
)
