import { assert, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { pythonPrograms } from "../support/fetchedPrograms.ts"
import { folderHere } from "../support/place.ts"
import { cardlake, json, root } from "./cli.ts"

const bin = pythonPrograms("notebook", "duckdb")

/** Runs the cells of a notebook in their order, without Jupyter, and prints two of its results. */
const run = `
import json, sys
names = {}
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell["cell_type"] == "code":
        exec("".join(cell["source"]), names)
print(json.dumps([[str(one) for one in names["worth"].fetchall()[0]], len(names["most_expensive"])]))
`
const home = join(folderHere(), "demo")

it.skipIf(bin === null)("the notebook reads the demo's lake with DuckDB from PyPI", async () => {
  assert.strictEqual((await cardlake(["demo", "--home", home])).code, 0)
  const { status, stderr, stdout } = spawnSync(
    join(bin ?? "", "python"),
    ["-c", run, join(root, "pipelines/examples/prices.ipynb")],
    { encoding: "utf8", env: { ...process.env, CARDLAKE_LAKE: join(home, "lake.duckdb") } }
  )
  assert.strictEqual(status, 0, stderr)
  // The same row by the command, with Node's DuckDB.
  const sql =
    "select day::varchar as day, currency, value::varchar as value, cards::varchar as cards from set_value_series(305, source_name := 'sourceEur') order by day limit 1"
  const [row] = json(await cardlake(["query", "--home", home, "--json", sql])) as ReadonlyArray<object>
  assert.deepStrictEqual(JSON.parse(stdout), [Object.values(row ?? {}), 5])
})
