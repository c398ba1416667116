import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { marketplaceAndHome } from "../../../pipelines/nights.ts"
import { deploymentsOf, hasRealCatalogue, realCatalogue } from "../../../pipelines/realCatalogue.ts"
import { lakeRows } from "../tableRows.ts"
import { live, newFolder } from "../../../support/suite.ts"

/** PYTHON names a Python that has PyPI's duckdb. */
const python = process.env["PYTHON"] ?? "python3"
const hasDuckdb = spawnSync(python, ["-c", "import duckdb"]).status === 0
if (!hasDuckdb) console.warn(`Skipped: ${python} has no duckdb (pip install duckdb)`)
const program = fileURLToPath(new URL("./verdicts.py", import.meta.url))

live.skipIf(!hasRealCatalogue || !hasDuckdb)(
  "an independent program gives every price of two real games the same verdict",
  function* () {
    const { home, inHome, night, sandbox } = yield* marketplaceAndHome({ catalogue: realCatalogue })
    const games = ["magic", "riftbound"]
    yield* night(...games)
    for (let deployment = 1; deployment < deploymentsOf("riftbound").length; deployment++) {
      const moved = games.filter((gameId) => deployment < deploymentsOf(gameId).length)
      yield* Effect.forEach(moved, sandbox.deploy)
      yield* night(...moved)
    }
    const rows = yield* inHome(
      lakeRows("select game_id, product_id::varchar as product_id, finish, source, verdict from price_trust()")
    )
    // DuckDB reads braces and brackets in a path as a pattern.
    const plain = yield* newFolder
    for (const part of ["snapshots", "history"]) cpSync(join(home, part), join(plain, part), { recursive: true })
    const csv = join(plain, "verdicts.csv")
    const lines = rows.map((row) => Object.values(row).map(String).join(","))
    writeFileSync(csv, ["game_id,product_id,finish,source,verdict", ...lines].join("\n"))
    const { status, stdout, stderr } = spawnSync(python, [program, plain, csv], { encoding: "utf8" })
    console.log(stdout)
    assert.strictEqual(status, 0, stdout + stderr)
    assert.isAbove(rows.length, 150_000)
  },
  600_000
)
