import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { checks as brokenChecks } from "../../../../src/store/diff/rules/checks.ts"
import { Lake } from "../../../../src/store/lake/duckdb/Lake.ts"
import { parseTableFile } from "../../../../src/feed/schema/tableFile.ts"
import { snapshotTables } from "../../../../src/feed/schema/snapshotTables.ts"
import { checkTable } from "../../../../src/store/lake/load/writeTables.ts"
import { emptyHome, snapshotOf } from "../handMadeNights.ts"
import { card } from "../invented.ts"
import { fileRows } from "../tableRows.ts"
import { shared, suite } from "../../../support/suite.ts"

/** For each type a value that breaks the checks of such a column. */
const worst = (type: string): string =>
  /^(BIGINT|INTEGER|DECIMAL)/.test(type) ? "-1" : type === "VARCHAR" ? "'nonsense'" : "null"

/** A whole snapshot, for the types of its columns. */
const Whole = shared("WholeSnapshot", function* () {
  return yield* snapshotOf("whole", { products: [card(1)] })
})

suite(Layer.provideMerge(Whole.layer, emptyHome), "a check of", (it) => {
  for (const table of snapshotTables) {
    it(`${table.name} finds what breaks it: ${table.checks.join("; ")}`, function* () {
      const { folder } = yield* Whole
      const columns = yield* fileRows(`describe from read_parquet('${folder}/${table.name}.parquet')`)
      const list = (value: (type: string) => string) =>
        columns
          .map((column) => `${value(String(column["column_type"]))} as "${String(column["column_name"])}"`)
          .join(", ")
      const session = yield* (yield* Lake).session
      yield* session.run(
        "Break",
        `create or replace temp table ${table.name} as
           select ${list((type) => `null::${type}`)} from range(2) union all select ${list((type) => `${worst(type)}::${type}`)}`
      )
      const { checks, rows } = yield* checkTable(session, table)
      assert.strictEqual(rows, 3)
      assert.deepStrictEqual(
        checks.filter(({ violations }) => violations === 0),
        []
      )
      assert.isAbove(checks.length, 0)
    })
  }

  it("a snapshot holds the snapshot when it fails: a product is there twice", function* () {
    const { manifest } = yield* snapshotOf("twice", { products: [card(1), card(1), card(2)] })
    const [reason, ...more] = brokenChecks.sentences({ manifest, previous: null, diff: null, slips: 0 }, [], 0)
    assert.strictEqual(reason, '1 rows of products break "(game_id, product_id) is unique"')
    assert.isTrue(more.every((other) => other.includes("is unique")))
  })
})

describe("a .sql file without a header", () => {
  it("is a fault of the program", () => {
    assert.throws(() => parseTableFile("create table t as select 1 as a;"), /No header/)
  })
})
