import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import { tableContract, openContractText } from "../../src/warehouse/drop/writeContracts.ts"
import { partitionFiles } from "../../src/warehouse/drop/Drop.ts"
import { exportTables } from "../../src/warehouse/drop/exportTables.ts"

/** Columns that releases have promised, by table and version: `name TYPE`, in order. */
const frozen = JSON.parse(
  readFileSync(join(import.meta.dirname, "../fixtures/drops/columns.json"), "utf8")
) as Readonly<Record<string, ReadonlyArray<string>>>

describe("the contract of a drop", () => {
  for (const { columns, name, version } of exportTables("exact")) {
    it(`${name} has the columns that were promised, in their order, and new ones only after them`, () => {
      const promised = frozen[`${name} v=${version}`] ?? []
      assert.isAbove(promised.length, 3, `Add ${name} v=${version} to test/fixtures/drops/columns.json`)
      const today = columns.map((column) => `${column.name} ${column.type}`)
      assert.deepStrictEqual(
        today.slice(0, promised.length),
        promised,
        "Any change but an added column needs the next version of the table"
      )
      assert.deepStrictEqual(
        columns.map(({ fieldId }) => fieldId),
        columns.map((_, index) => index + 1)
      )
    })
  }

  it("is also a document of the Open Data Contract Standard, with the export's names", () => {
    const text = (decimals: "exact" | "text", root: string, name = "source_prices") => {
      const table = exportTables(decimals).find((one) => one.name === name)
      assert.isDefined(table)
      const contract = tableContract(table, partitionFiles(table))
      return parse(openContractText(contract, table.checks, root)) as Document
    }
    const { apiVersion, schema, servers } = text("exact", "/srv/drop")
    assert.strictEqual(apiVersion, "v3.0.2")
    assert.deepInclude(schema[0]?.properties[4], { name: "product_id", logicalType: "integer", physicalType: "BIGINT" })
    assert.deepInclude(schema[0]?.properties[0], { name: "game_id", required: true })
    assert.include(JSON.stringify(schema[0]?.properties[8]), "currency, major unit")
    const rules = (document: Document) => document.schema[0]?.quality.map(({ description }) => description).slice(1)
    assert.deepStrictEqual(rules(text("exact", "/srv/drop")), [
      "low >= 0",
      "mid >= 0",
      "high >= 0",
      "market_value >= 0",
      "price_source in ('sourceEur', 'sourceUsd')"
    ])
    assert.strictEqual(rules(text("text", "/srv/drop"))?.[0], "cast(low as decimal(18, 4)) >= 0")
    const path = "source_prices/v=1/game=*/dt=*/part-00000.parquet"
    assert.deepStrictEqual(servers, [{ server: "export", type: "local", path: `./${path}`, format: "parquet" }])
    assert.deepInclude(text("exact", "s3://lakes/drop").servers[0], { type: "s3", location: `s3://lakes/drop/${path}` })
    assert.deepInclude(text("exact", "/srv/drop", "nights").slaProperties[0], {
      property: "freshness",
      value: 36,
      unit: "h"
    })
  })
})

interface Document {
  readonly apiVersion: string
  readonly servers: ReadonlyArray<object>
  readonly schema: ReadonlyArray<{
    readonly properties: ReadonlyArray<Readonly<Record<string, unknown>>>
    readonly quality: ReadonlyArray<{ readonly description: string }>
  }>
  readonly slaProperties: ReadonlyArray<object>
}
