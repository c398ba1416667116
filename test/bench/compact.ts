import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import type { CompactedDrop } from "../../src/export/compactDrop.ts"
import type { FormatName } from "../../src/export/formats.ts"
import { lockHome } from "../../src/home/lockHome.ts"
import { publish } from "../../src/lake/publish/publish.ts"
import { exportTo } from "../export/Dropped.ts"
import { idOf } from "../idOf.ts"
import { runProgram, startSandbox } from "./program.ts"
import { yearOfNights } from "./yearOfNights.ts"

/**
 * `npm run bench:compact [PRODUCTS] [NIGHTS] [FORMAT…]`: tables of a year of made-up nights before and after `--compact`. Where
 * `PYTHON` is a Python with pyspark, Spark answers questions about the prices in Iceberg tables before and after, each
 * compared with the lake.
 */
const products = Number(process.argv[2] ?? 20_000)
const nights = Number(process.argv[3] ?? 365)
const formats = process.argv.length > 4 ? (process.argv.slice(4) as ReadonlyArray<FormatName>) : (["iceberg"] as const)
const game = "synthetic-1"
const dayMillis = 24 * 3600 * 1000
const first = Date.parse("2026-01-20T03:00:00Z") - nights * dayMillis
const python = process.env["PYTHON"]

const line = (name: string, figure: string) => console.log(`${name.padEnd(56)} ${figure}`)

const makeHome = async (folder: string) => {
  const sandbox = await startSandbox(products)
  const seed = join(folder, "seed")
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: seed }
  await runProgram(["nightly", "--json"], settings)
  sandbox.stop()
  const snapshots = join(seed, "snapshots", `game=${game}`)
  const home = join(folder, "home")
  const services = lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))
  const made = Effect.gen(function* () {
    const current = yield* yearOfNights(join(snapshots, readdirSync(snapshots)[0] ?? ""), first, nights)
    yield* publish(idOf("bench"), current, yield* lockHome("nightly", idOf("bench")))
    for (const format of formats)
      yield* exportTo(join(folder, format), { format, tables: ["products", "source_prices", "nights"] })
  })
  await Effect.runPromise(made.pipe(Effect.scoped, Effect.provide(services)))
  return home
}

/** Lets Spark answer; without Python, a line says so. */
const ask = (home: string, drop: string, when: string) => {
  if (python === undefined) return line(`Spark, ${when}`, "0 questions: PYTHON names no Python with pyspark")
  const script = fileURLToPath(new URL("../export/readers/askYear.py", import.meta.url))
  const ended = spawnSync(python, [script, home, drop], { encoding: "utf8" })
  console.log(`Spark, ${when}:\n${ended.stdout.trimEnd()}`)
  if (ended.status !== 0) throw new Error(`Spark's answers differ from the lake's: ${ended.stderr.slice(-2000)}`)
}

const folder = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  console.log(`${products} products, ${nights} nights\n`)
  const home = await makeHome(folder)
  for (const format of formats) {
    const drop = join(folder, format)
    if (format === "iceberg") ask(home, drop, "before")
    const { output, peakMegabytes, seconds } = await runProgram(["export", "--to", drop, "--compact", "--json"], {})
    const { tables } = JSON.parse(output) as CompactedDrop
    for (const { bytes, files, rows, table } of tables) {
      const megabytes = (size: number) => (size / 1e6).toFixed(1)
      line(
        `${format}, ${table}: files; MB; rows joined`,
        `${files.before} → ${files.after}; ${megabytes(bytes.before)} → ${megabytes(bytes.after)}; ${rows}`
      )
    }
    line(`${format}, compacting`, `${seconds.toFixed(1)} s, ${peakMegabytes.toFixed(0)} MB at most`)
    if (format === "iceberg") ask(home, drop, "after")
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
