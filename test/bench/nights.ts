import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allServices } from "../../pipelines/settings/services.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { showing } from "../../src/night/run/showing.ts"
import { manyDeployments } from "./manyDeployments.ts"
import { startSandboxOf } from "./program.ts"

/**
 * `npm run bench:nights [PRODUCTS] [NIGHTS]`: what late nights of many cost beside early ones, each
 * after a deployment. Both are of the same days of a month, which is compacted by the week.
 */
const products = Number(process.argv[2] ?? 20_000)
const nights = Number(process.argv[3] ?? 200)
const game = "synthetic-1"
const dayMillis = 24 * 3600 * 1000
const first = Date.parse("2025-11-01T03:00:00Z")
const dateOf = (night: number) => new Date(first + (night - 1) * dayMillis)

const isCompared = (night: number) => dateOf(night).getUTCDate() >= 8 && dateOf(night).getUTCDate() <= 14

interface Cost {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Read from files and from the network. */
  readonly megabytes: number
  readonly reads: number
}

/** The reads of this process as Linux counts them; 0 elsewhere. */
const reads = () => {
  const text = process.platform === "linux" ? readFileSync("/proc/self/io", "utf8") : ""
  const count = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1] ?? 0)
  return { bytes: count("rchar"), calls: count("syscr") }
}

const measured = async (work: () => Promise<unknown>): Promise<Cost> => {
  const before = { at: performance.now(), cpu: process.cpuUsage(), read: reads() }
  await work()
  const cpu = process.cpuUsage(before.cpu)
  const after = reads()
  return {
    seconds: (performance.now() - before.at) / 1000,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
    megabytes: (after.bytes - before.read.bytes) / 1e6,
    reads: after.calls - before.read.calls
  }
}

const line = (name: string, figure: string, wanted: string) =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`)

const run = async (home: string) => {
  const catalogue = join(home, "catalogue")
  manyDeployments(catalogue, game, { products, deployments: nights })
  const sandbox = await startSandboxOf(catalogue)
  const settings = {
    CARDLAKE_URL: sandbox.url,
    CARDLAKE_API_KEY: sandbox.key,
    CARDLAKE_HOME: join(home, "lake"),
    CARDLAKE_ROAD: "pages"
  }
  const services = allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))
  const costs = new Map<number, Cost>()
  for (let night = 1; night <= nights; night++) {
    if (night > 1) {
      await fetch(`${sandbox.url}/sandbox/deploy`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ gameId: game })
      })
    }
    const one = runNight([game], () => {}).pipe(
      showing(dateOf(night).getTime()),
      Effect.provideService(References.MinimumLogLevel, "Error"),
      Effect.provide(services)
    )
    costs.set(
      night,
      await measured(async () => {
        const { verdict } = await Effect.runPromise(one)
        if (verdict !== "published") throw new Error(`night ${night} was ${verdict}`)
      })
    )
  }
  sandbox.stop()
  const compared = [...costs.keys()].filter(isCompared)
  const early = compared.slice(0, 7)
  const late = compared.slice(-7)
  const mean = (of: ReadonlyArray<number>, figure: keyof Cost) =>
    of.reduce((sum, night) => sum + (costs.get(night)?.[figure] ?? 0), 0) / of.length
  const span = (of: ReadonlyArray<number>) => `nights ${of[0]} to ${of.at(-1)}`
  const figures: ReadonlyArray<readonly [string, keyof Cost]> = [
    ["seconds", "seconds"],
    ["seconds of CPU", "cpuSeconds"],
    ["megabytes read", "megabytes"],
    ["reads", "reads"]
  ]
  for (const [name, figure] of figures) {
    const [then, now] = [mean(early, figure), mean(late, figure)]
    line(
      `a night's ${name}, ${span(late)} ÷ ${span(early)}`,
      `${(now / then).toFixed(2)} (${now.toFixed(1)} ÷ ${then.toFixed(1)})`,
      "wanted 1.2"
    )
  }
}

const home = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  console.log(`${products.toLocaleString("en-US")} products, one game, ${nights} nights, each after a deployment\n`)
  await run(home)
} finally {
  rmSync(home, { recursive: true, force: true })
}
