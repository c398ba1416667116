import { DuckDBInstance } from "@duckdb/node-api"
import { assert } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cpSync, readFileSync, renameSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"
import { pythonPrograms } from "../support/fetchedPrograms.ts"
import { newFolder, suite } from "../support/suite.ts"
import { contractsIn, Dropped, filesOf } from "./FourNights.ts"

const bin = pythonPrograms("datacontract", "datacontract-cli[duckdb]==1.2.*")

/** The rules that a table of a drop breaks, as the program says. */
const broken = (folder: string, table: string): ReadonlyArray<string> => {
  const output = join(folder, "result.json")
  const args = ["test", `${table}/datacontract.yaml`, "--output", output, "--output-format", "json"]
  const { status, stdout } = spawnSync(join(bin ?? "", "datacontract"), args, { cwd: folder, encoding: "utf8" })
  const { checks } = JSON.parse(readFileSync(output, "utf8")) as {
    checks: ReadonlyArray<{ name: string; result: string }>
  }
  const names = checks.filter(({ result }) => !["passed", "warning"].includes(result)).map(({ name }) => name)
  assert.strictEqual(status === 0, names.length === 0, stdout)
  return names
}

/** What happened to the rows of a table, and the rule that finds it. */
const damages: ReadonlyArray<readonly [what: string, select: string, rule: RegExp, table?: string]> = [
  ["a column is missing", "select * exclude (low) from old", /'low' is present/],
  ["a column has another type", "select * replace ('none' as low) from old", /low/],
  ["a row is there twice", "from old union all (from old limit 1)", /is unique/],
  ["a price is negative", "select * replace ((-1)::decimal(18, 4) as low) from old", /low >= 0/],
  ["the reading is old", "select * replace (read_at - interval 3 day as read_at) from old", /Freshness/, "nights"]
]

const changed = (file: string, select: string) =>
  Effect.promise(async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    await connection.run(`create view old as from read_parquet(${sqlText(file)}, hive_partitioning = false)`)
    await connection.run(`copy (${select}) to ${sqlText(`${file}.new`)} (format parquet)`)
    connection.closeSync()
    renameSync(`${file}.new`, file)
  })

const copied = Effect.gen(function* () {
  const { folder } = yield* Dropped
  const copy = yield* newFolder
  cpSync(folder, copy, { recursive: true })
  return copy
})

suite(Dropped.layer, "datacontract-cli", (it) => {
  it.skipIf(bin === null)(
    "finds that a drop keeps the contract of each table",
    function* () {
      const folder = yield* copied
      for (const { table } of contractsIn(folder)) assert.deepStrictEqual(broken(folder, table), [], table)
    },
    600_000
  )

  for (const [what, select, rule, table = "source_prices"] of damages)
    it.skipIf(bin === null)(`finds that ${what}`, function* () {
      const folder = yield* copied
      for (const file of filesOf(folder, table)) yield* changed(file, select)
      assert.match(broken(folder, table).join(), rule)
    })
})
