import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { publishFront } from "../../../../src/store/lake/front/publishFront.ts"
import { leftOut } from "../../../../src/store/lake/front/buildFront.ts"
import { lakeFiles } from "../../../../src/store/lake/history/historyTables.ts"
import { servedNights } from "../../../pipelines/servedNights.ts"
import { pythonPrograms } from "../../../support/fetchedPrograms.ts"
import { live } from "../../../support/suite.ts"
import { exportTo, temporaryFolder } from "../../../warehouse/FourNights.ts"
import { homeAt } from "../handMadeNights.ts"
import { served } from "./rangeServer.ts"

/** Programs of Pythons with DuckDB 1.5 and 2.0. */
const bins = {
  "1.5": pythonPrograms("duckdb15", "pytz", "duckdb==1.5.5", "duckdb-extension-httpfs==1.5.5"),
  "2.0": pythonPrograms("duckdb20", "pytz", "duckdb==2.0.*")
}

const guide = readFileSync(new URL("../../../../data/guide/questions.md", import.meta.url), "utf8")
const questions = [...guide.matchAll(/```sql\n([^]*?)```/g)].map(([, sql = ""]) => sql)
const tables = lakeFiles.flatMap(([kind, files]) => (kind === "macro" ? [] : files.map(({ name }) => name)))
const counts = tables.filter((name) => !(name in leftOut)).map((name) => `select count(*) from ${name}`)

/** What a DuckDB of this version answers of each database, to the ten questions and of how many rows each table has. */
const answers = (
  version: keyof typeof bins,
  folder: string,
  databases: ReadonlyArray<string>,
  queries = [...questions, ...counts]
) =>
  Effect.promise(async () => {
    const file = join(folder, "queries.json")
    writeFileSync(file, JSON.stringify(queries))
    const program = fileURLToPath(new URL("./readers.py", import.meta.url))
    const child = spawn(join(bins[version] ?? "", "python"), [program, file, ...databases], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    const lines = (await text(child.stdout)).trim().split("\n")
    return lines.map((line) => (JSON.parse(line) as { answers: ReadonlyArray<unknown> }).answers)
  })

const { home } = await servedNights()
const lake = join(home, "lake.duckdb")

live.skipIf(bins["1.5"] === null)(
  "DuckDB in Python attaches a front over HTTP, and it answers as the lake",
  function* () {
    const folder = yield* temporaryFolder
    const { url } = yield* served(folder)
    yield* publishFront(folder, url).pipe(Effect.provide(homeAt(home)))
    const stage = yield* temporaryFolder
    const [ofLake, ofFront] = yield* answers("1.5", stage, [lake, `${url}/front.duckdb`])
    assert.deepStrictEqual(ofFront, ofLake)
    assert.isTrue(
      ofLake?.every((answer) => typeof answer === "object"),
      JSON.stringify(ofLake)
    )
  }
)

live.skipIf(Object.values(bins).includes(null))(
  "DuckDB 2.0 reads a lake, a front and an export as 1.5 does",
  function* () {
    const [folder, drop, stage] = [yield* temporaryFolder, yield* temporaryFolder, yield* temporaryFolder]
    yield* publishFront(folder, null).pipe(Effect.provide(homeAt(home)))
    yield* exportTo(drop).pipe(Effect.provide(homeAt(home)))
    const databases = [lake, join(folder, "front.duckdb")]
    const now = yield* answers("1.5", stage, databases)
    assert.deepStrictEqual(yield* answers("2.0", stage, databases), now)
    assert.deepStrictEqual(now[1], now[0])
    const pattern = drop.replaceAll(/[[{*?]/g, "?")
    const ofDrop = ["products", "source_prices", "nights"].map(
      (name) =>
        `select count(*), min(game_id), max(read_at)::varchar from read_parquet('${pattern}/${name}/v=1/*/*/*.parquet')`
    )
    const [old, later] = [yield* answers("1.5", stage, [lake], ofDrop), yield* answers("2.0", stage, [lake], ofDrop)]
    assert.deepStrictEqual(later, old)
  }
)
