import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { CompactedDrop } from "../../src/warehouse/compactDrop.ts"
import type { FormatName } from "../../src/warehouse/formats.ts"
import { loadRates } from "../../src/store/lake/fx/loadRates.ts"
import { exportTo } from "../warehouse/FourNights.ts"
import { idOf } from "../store/lake/invented.ts"
import { catalogueHalves } from "./catalogueHalves.ts"
import { everyPrice } from "./everyPrice.ts"
import { runProgram, seedNight, startSandbox } from "./program.ts"
import { bench, dayMillis, line } from "./report.ts"
import { daysUntil, inHome, publishYear, yearOfNights } from "./yearOfNights.ts"

/**
 * `npm run bench:compact [PRODUCTS] [NIGHTS] [FORMAT…]`: tables of a year of made-up nights before and after `--compact`. Where
 * `PYTHON` is a Python with pyspark, Spark answers the questions of data/guide/questions.md that are about prices from Iceberg
 * tables before and after, each compared with the lake.
 */
const products = Number(process.argv[2] ?? 20_000)
const nights = Number(process.argv[3] ?? 365)
const formats = process.argv.length > 4 ? (process.argv.slice(4) as ReadonlyArray<FormatName>) : (["iceberg"] as const)
const game = "synthetic-1"
const pauseAfter = 30
// A Sunday: its rate is Friday's.
const last = Date.parse("2026-01-18T03:00:00Z")
const first = last - daysUntil(nights - 1, { pauseAfter }) * dayMillis
const tables = [
  "products",
  "product_finishes",
  "expansions",
  "external_ids",
  "source_prices",
  "marketplace_prices",
  "marketplace_price_conditions",
  "fx_rates",
  "nights"
]
const python = process.env["PYTHON"]

/** Exchange rates as the European Central Bank publishes them: none on weekends. */
const ratesText = () => {
  const days = Array.from({ length: (last - first) / dayMillis + 9 }, (_, at) => new Date(last - at * dayMillis))
  const rate = (at: Date) => (1.1 + 0.05 * Math.sin(at.getTime() / dayMillis / 20)).toFixed(4)
  const working = days.filter((at) => at.getUTCDay() % 6 !== 0)
  return ["Date,USD", ...working.map((at) => `${at.toISOString().slice(0, 10)},${rate(at)}`)].join("\n")
}

const makeHome = async (folder: string) => {
  const seeded = await seedNight(await startSandbox(products), game, join(folder, "seed"))
  const home = join(folder, "home")
  const made = Effect.gen(function* () {
    const catalogues = yield* catalogueHalves(seeded, folder)
    const current = yield* yearOfNights(seeded, first, nights, { prices: everyPrice, catalogues, pauseAfter })
    const loadedAt = new Date(last).toISOString()
    yield* loadRates(idOf("bench"), { source: "made up", text: ratesText(), loadedAt })
    yield* publishYear(current)
    for (const format of formats) yield* exportTo(join(folder, format), { format, tables })
  })
  await inHome(home, made)
  return home
}

/** Lets Spark answer; without Python, a line says so. */
const ask = (home: string, drop: string, when: string) => {
  if (python === undefined) return line(`Spark, ${when}`, "0 questions: PYTHON names no Python with pyspark")
  const script = fileURLToPath(new URL("../warehouse/readers/askYear.py", import.meta.url))
  const ended = spawnSync(python, [script, home, drop], { encoding: "utf8" })
  console.log(`Spark, ${when}:\n${ended.stdout.trimEnd()}`)
  if (ended.status !== 0) throw new Error(`Spark's answers differ from the lake's: ${ended.stderr.slice(-2000)}`)
}

await bench(`${products} products, ${nights} nights`, async (folder) => {
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
})
