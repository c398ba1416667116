import { globSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, Number as Sum } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { contractsIn, dropRows, exportTo } from "../warehouse/FourNights.ts"
import { lateExport } from "./lateExport.ts"
import { runProgram, startSandbox, type Finished } from "./program.ts"

/**
 * `npm run bench:export [PRODUCTS] [NIGHTS]`: a night's export beside DuckDB's bare COPY of its rows;
 * and the last of so many nights beside the second of two, because a first one has no changes. A figure
 * is the median of five, in turns.
 */
const products = Number(process.argv[2] ?? 100_000)
const nights = Number(process.argv[3] ?? 365)
const rounds = 5
const folder = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
const median = (figures: ReadonlyArray<number>) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? NaN
const line = (name: string, figure: string) => console.log(`${name.padEnd(64)} ${figure}`)

/** Seconds by the clock, and of all cores; the latter hardly depend on what else the machine does. */
interface Used {
  readonly wall: number
  readonly cpu: number
}
const used = (): Used => {
  const { system, user } = process.cpuUsage()
  return { wall: performance.now() / 1000, cpu: (system + user) / 1e6 }
}
const usedSince = (before: Used): Used => {
  const now = used()
  return { wall: now.wall - before.wall, cpu: now.cpu - before.cpu }
}

const bytesBelow = (root: string) =>
  globSync("**/*.parquet", { cwd: root }).reduce((sum, path) => sum + statSync(join(root, path)).size, 0)

/** What DuckDB takes to write a drop's rows again in their order, without checksums and flushes. */
const bareCopy = async (drop: string, to: string): Promise<Used> => {
  const startedAt = used()
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
  const took = usedSince(startedAt)
  connection.closeSync()
  instance.closeSync()
  return took
}

try {
  const home = join(folder, "home")
  const sandbox = await startSandbox(products)
  await runProgram(["nightly", "--json"], {
    CARDLAKE_URL: sandbox.url,
    CARDLAKE_API_KEY: sandbox.key,
    CARDLAKE_HOME: home
  })
  sandbox.stop()
  const bare: Array<Used> = []
  const exported: Array<Used> = []
  const again: Array<number> = []
  let rows = 0
  const drop = join(folder, "drop")
  const copies = mkdtempSync(join(folder, "copy-"))
  const services = lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))
  const exportNow = (to: string) =>
    Effect.runPromise(
      exportTo(to).pipe(
        Effect.map(({ games }) => {
          rows = Sum.sumAll(games.flatMap(({ partitions }) => partitions.map((one) => one.rows)))
        }),
        Effect.provide(services)
      )
    )
  for (let round = 0; round < rounds; round++) {
    rmSync(drop, { recursive: true, force: true })
    const before = used()
    await exportNow(drop)
    exported.push(usedSince(before))
    bare.push(await bareCopy(drop, copies))
    again.push((await runProgram(["export", "--to", drop, "--json"], { CARDLAKE_HOME: home })).seconds)
  }
  const { peakMegabytes } = await runProgram(["export", "--to", join(folder, "peak")], { CARDLAKE_HOME: home })
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} (${a.toFixed(2)} ÷ ${b.toFixed(2)})`
  console.log(`${products.toLocaleString("en-US")} products, ${rows.toLocaleString("en-US")} rows in a night\n`)
  const compared = (of: (one: Used) => number) => ratio(median(exported.map(of)), median(bare.map(of)))
  line("export of a night ÷ DuckDB's bare COPY, seconds", `${compared(({ wall }) => wall)}, wanted 1.5`)
  line(
    "the same in seconds of the processor",
    compared(({ cpu }) => cpu)
  )
  line("bytes a row, export ÷ bare COPY", `${ratio(bytesBelow(drop) / rows, bytesBelow(copies) / rows)}, wanted 1.5`)
  line("an export that finds nothing new, start of the program included", `${median(again).toFixed(2)} s`)
  line("peak memory of an export", `${peakMegabytes.toFixed(0)} MB`)
  const exportSecond = await lateExport(home, folder, 2)
  const exportLast = await lateExport(home, folder, nights)
  const second: Array<Finished> = []
  const late: Array<Finished> = []
  for (let round = 0; round < rounds; round++) {
    second.push(await exportSecond())
    late.push(await exportLast())
  }
  const beside = (of: (one: Finished) => number) => ratio(median(late.map(of)), median(second.map(of)))
  console.log(`\nthe last of ${nights} nights ÷ the second of two`)
  line("seconds of the processor", `${beside(({ cpuSeconds }) => cpuSeconds)}, wanted 1.2`)
  line("peak memory", `${beside(({ peakMegabytes: peak }) => peak)}, wanted 1.2`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
