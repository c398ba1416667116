import { globSync, mkdtempSync, rmSync, statSync, cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { Number as Sum, Effect } from "effect"
import { contractsIn, dropRows, exportTo } from "../warehouse/FourNights.ts"
import { runProgram, seedNight, startSandbox, type Finished } from "./program.ts"
import { bench, line, median, ratio, type Used, used, dayMillis } from "./report.ts"
import { inHome, publishYear, yearOfNights } from "./yearOfNights.ts"

const last = Date.parse("2026-01-20T03:00:00Z")
const lastDay = "2026-01-20"

/**
 * Makes so many nights of a snapshot, not compacted, and a drop that has the table `games` of all but the last. Returns
 * the export of that last one, into a copy of the drop.
 */
const lateExport = async (seedFolder: string, folder: string, nights: number): Promise<() => Promise<Finished>> => {
  const home = join(folder, `home-${nights}`)
  const drop = join(folder, `late-${nights}`)
  mkdirSync(home, { recursive: true })
  const made = Effect.gen(function* () {
    yield* publishYear(yield* yearOfNights(seedFolder, last - (nights - 1) * dayMillis, nights))
    yield* exportTo(drop, { tables: ["games"] })
  })
  await inHome(home, made)
  return async () => {
    const copy = mkdtempSync(join(folder, "late-"))
    cpSync(drop, copy, { recursive: true })
    const finished = await runProgram(["export", "--to", copy, "--since", lastDay, "--json"], { CARDLAKE_HOME: home })
    rmSync(copy, { recursive: true })
    return finished
  }
}

/**
 * `npm run bench:export [PRODUCTS] [NIGHTS]`: a night's export beside DuckDB's bare COPY of its rows;
 * and the last of so many nights beside the second of two, because a first one has no changes. A figure
 * is the median of five, in turns.
 */
const products = Number(process.argv[2] ?? 100_000)
const nights = Number(process.argv[3] ?? 365)
const rounds = 5
const bytesBelow = (root: string) =>
  globSync("**/*.parquet", { cwd: root }).reduce((sum, path) => sum + statSync(join(root, path)).size, 0)

/** Writes a drop's rows again in their order by DuckDB alone, without checksums and flushes. */
const bareCopy = async (drop: string, to: string) => {
  const instance = await DuckDBInstance.create(":memory:", {
    preserve_insertion_order: "false",
    memory_limit: "1000MB"
  })
  const connection = await instance.connect()
  for (const { key, table } of contractsIn(drop)) {
    const rows = `${dropRows(drop, table)} order by ${key.slice(2).join(", ") || "game_id"}`
    const file = join(to, `${table}.parquet`)
    await connection.run(
      `copy (${rows}) to '${file}' (format parquet, compression snappy, parquet_version v1, write_bloom_filter false)`
    )
  }
  connection.closeSync()
  instance.closeSync()
}

await bench(`${products.toLocaleString("en-US")} products`, async (folder) => {
  const home = join(folder, "home")
  const seed = await seedNight(await startSandbox(products), "synthetic-1", home)
  const bare: Array<Used> = []
  const exported: Array<Used> = []
  const again: Array<number> = []
  let rows = 0
  const drop = join(folder, "drop")
  const copies = mkdtempSync(join(folder, "copy-"))
  const exportNow = async () => {
    const { games } = await inHome(home, exportTo(drop))
    rows = Sum.sumAll(games.flatMap(({ partitions }) => partitions.map((one) => one.rows)))
  }
  for (let round = 0; round < rounds; round++) {
    rmSync(drop, { recursive: true, force: true })
    exported.push(await used(exportNow))
    bare.push(await used(() => bareCopy(drop, copies)))
    again.push((await runProgram(["export", "--to", drop, "--json"], { CARDLAKE_HOME: home })).seconds)
  }
  const { peakMegabytes } = await runProgram(["export", "--to", join(folder, "peak")], { CARDLAKE_HOME: home })
  const compared = (figure: keyof Used) =>
    ratio(median(exported.map((one) => one[figure])), median(bare.map((one) => one[figure])))
  line("rows in a night", rows.toLocaleString("en-US"))
  line("export of a night ÷ DuckDB's bare COPY, seconds", compared("seconds"), "wanted 1.5")
  line("the same in seconds of the processor", compared("cpuSeconds"))
  line("bytes a row, export ÷ bare COPY", ratio(bytesBelow(drop) / rows, bytesBelow(copies) / rows), "wanted 1.5")
  line("an export that finds nothing new, start of the program included", `${median(again).toFixed(2)} s`)
  line("peak memory of an export", `${peakMegabytes.toFixed(0)} MB`)
  const exportSecond = await lateExport(seed, folder, 2)
  const exportLast = await lateExport(seed, folder, nights)
  const second: Array<Finished> = []
  const late: Array<Finished> = []
  for (let round = 0; round < rounds; round++) {
    second.push(await exportSecond())
    late.push(await exportLast())
  }
  const beside = (of: (one: Finished) => number) => ratio(median(late.map(of)), median(second.map(of)))
  console.log(`\nthe last of ${nights} nights ÷ the second of two`)
  line(
    "seconds of the processor",
    beside(({ cpuSeconds }) => cpuSeconds),
    "wanted 1.2"
  )
  line(
    "peak memory",
    beside(({ peakMegabytes: peak }) => peak),
    "wanted 1.2"
  )
})
