import { assert } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { publishFront } from "../../../../src/store/lake/front/publishFront.ts"
import { leftOut } from "../../../../src/store/lake/front/buildFront.ts"
import { lakeFiles } from "../../../../src/store/lake/publish/publishedTables.ts"
import { servedNights } from "../../../pipelines/servedNights.ts"
import { live } from "../../../support/suite.ts"
import { exportTo, temporaryFolder } from "../../../warehouse/FourNights.ts"
import { homeAt } from "../handMadeNights.ts"
import { served } from "./rangeServer.ts"

/** Pythons with DuckDB 1.5 and 2.0: `python3 -m venv v && v/bin/pip install pytz duckdb==1.5.5 duckdb-extension-httpfs==1.5.5`. */
const pythons = { "1.5": process.env["DUCKDB_PYTHON"] ?? "python3", "2.0": process.env["DUCKDB2_PYTHON"] ?? "python3" }
const version = (python: string) =>
  spawnSync(python, ["-c", "import duckdb; print(duckdb.__version__)"]).stdout.toString()
const hasHttpfs = spawnSync(pythons["1.5"], ["-c", "import duckdb_extension_httpfs"]).status === 0
const has = (wanted: keyof typeof pythons) => version(pythons[wanted]).startsWith(`${wanted}.`)
for (const wanted of ["1.5", "2.0"] as const)
  if (!has(wanted))
    console.warn(`No Python with DuckDB ${wanted} (DUCKDB_PYTHON, DUCKDB2_PYTHON), so it reads no lake here`)

const guide = readFileSync(new URL("../../../../data/guide/questions.md", import.meta.url), "utf8")
const questions = [...guide.matchAll(/```sql\n([^]*?)```/g)].map(([, sql = ""]) => sql)
const tables = lakeFiles.flatMap(([kind, files]) => (kind === "macro" ? [] : files.map(({ name }) => name)))
const counts = tables.filter((name) => !(name in leftOut)).map((name) => `select count(*) from ${name}`)

/** What a DuckDB of this version answers of each database, to the ten questions and of how many rows each table has. */
const answers = (
  python: string,
  folder: string,
  databases: ReadonlyArray<string>,
  queries = [...questions, ...counts]
) =>
  Effect.promise(async () => {
    const file = join(folder, "queries.json")
    writeFileSync(file, JSON.stringify(queries))
    const program = fileURLToPath(new URL("./readers.py", import.meta.url))
    const child = spawn(python, [program, file, ...databases], { stdio: ["ignore", "pipe", "inherit"] })
    const lines = (await text(child.stdout)).trim().split("\n")
    return lines.map((line) => (JSON.parse(line) as { answers: ReadonlyArray<unknown> }).answers)
  })

const { home } = await servedNights()
const lake = join(home, "lake.duckdb")

live.skipIf(!has("1.5") || !hasHttpfs)(
  "DuckDB in Python attaches a front over HTTP, and it answers as the lake",
  function* () {
    const folder = yield* temporaryFolder
    const { url } = yield* served(folder)
    yield* publishFront(folder, url).pipe(Effect.provide(homeAt(home)))
    const stage = yield* temporaryFolder
    const [ofLake, ofFront] = yield* answers(pythons["1.5"], stage, [lake, `${url}/front.duckdb`])
    assert.deepStrictEqual(ofFront, ofLake)
    assert.isTrue(
      ofLake?.every((answer) => typeof answer === "object"),
      JSON.stringify(ofLake)
    )
  }
)

live.skipIf(!has("1.5") || !has("2.0"))("DuckDB 2.0 reads a lake, a front and an export as 1.5 does", function* () {
  const [folder, drop, stage] = [yield* temporaryFolder, yield* temporaryFolder, yield* temporaryFolder]
  yield* publishFront(folder, null).pipe(Effect.provide(homeAt(home)))
  yield* exportTo(drop).pipe(Effect.provide(homeAt(home)))
  const databases = [lake, join(folder, "front.duckdb")]
  const now = yield* answers(pythons["1.5"], stage, databases)
  assert.deepStrictEqual(yield* answers(pythons["2.0"], stage, databases), now)
  assert.deepStrictEqual(now[1], now[0])
  const pattern = drop.replaceAll(/[[{*?]/g, "?")
  const ofDrop = ["products", "source_prices", "nights"].map(
    (name) =>
      `select count(*), min(game_id), max(read_at)::varchar from read_parquet('${pattern}/${name}/v=1/*/*/*.parquet')`
  )
  const [old, later] = [
    yield* answers(pythons["1.5"], stage, [lake], ofDrop),
    yield* answers(pythons["2.0"], stage, [lake], ofDrop)
  ]
  assert.deepStrictEqual(later, old)
})
