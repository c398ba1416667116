import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, References } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { allServices } from "../../pipelines/settings/marketServices.ts"
import { runNight } from "../../src/night/run/runNight.ts"
import { showing } from "../../src/night/run/showing.ts"
import { manyDeployments } from "./manyDeployments.ts"
import { deploy, settingsOf, startSandboxOf } from "./program.ts"
import { bench, dayMillis, line, mean, ratio, type Used, used } from "./report.ts"

/**
 * `npm run bench:nights [PRODUCTS] [NIGHTS]`: what late nights of many cost beside early ones, each
 * after a deployment. Both are of the same days of a month, which is compacted by the week.
 */
const products = Number(process.argv[2] ?? 20_000)
const nights = Number(process.argv[3] ?? 200)
const game = "synthetic-1"
const first = Date.parse("2025-11-01T03:00:00Z")
const dateOf = (night: number) => new Date(first + (night - 1) * dayMillis)

const isCompared = (night: number) => dateOf(night).getUTCDate() >= 8 && dateOf(night).getUTCDate() <= 14

interface Cost extends Used {
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
  const before = reads()
  const took = await used(work)
  const after = reads()
  return { ...took, megabytes: (after.bytes - before.bytes) / 1e6, reads: after.calls - before.calls }
}

const run = async (home: string) => {
  const catalogue = join(home, "catalogue")
  manyDeployments(catalogue, game, { products, deployments: nights })
  const sandbox = await startSandboxOf(catalogue)
  const settings = { ...settingsOf(sandbox, join(home, "lake")), CARDLAKE_VIA: "pages" }
  const services = allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))
  const costs = new Map<number, Cost>()
  for (let night = 1; night <= nights; night++) {
    if (night > 1) await deploy(sandbox, game)
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
  const meanOf = (of: ReadonlyArray<number>, figure: keyof Cost) =>
    mean(of.map((night) => costs.get(night)?.[figure] ?? 0))
  const span = (of: ReadonlyArray<number>) => `nights ${of[0]} to ${of.at(-1)}`
  const figures: ReadonlyArray<readonly [string, keyof Cost]> = [
    ["seconds", "seconds"],
    ["seconds of CPU", "cpuSeconds"],
    ["megabytes read", "megabytes"],
    ["reads", "reads"]
  ]
  for (const [name, figure] of figures) {
    const title = `a night's ${name}, ${span(late)} ÷ ${span(early)}`
    line(title, ratio(meanOf(late, figure), meanOf(early, figure), 1), "wanted 1.2")
  }
}

await bench(`${products.toLocaleString("en-US")} products, one game, ${nights} nights, each after a deployment`, run)
