import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
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
})
