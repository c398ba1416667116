import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { startConditionalStore } from "../store/home/conditionalStore.ts"
import { manyDeployments } from "./manyDeployments.ts"
import { runProgram, settingsOf, startSandboxOf } from "./program.ts"
import { bench } from "./report.ts"

/**
 * `npm run bench:parts [PRODUCTS] [GAMES]`: one night of many games in a bucket, read in parts by several workers. Each of
 * their keys is allowed 600 requests in any minute. Two cores are shared by all of them, the store and the marketplace,
 * so it shows how waits overlap, and nothing of more processors.
 */
const products = Number(process.argv[2] ?? 50_000)
const games = Array.from({ length: Number(process.argv[3] ?? 24) }, (_, game) => `part-${game}`)
const requestsAMinute = 600
const teams = [
  { workers: 1, keys: 1 },
  { workers: 2, keys: 1 },
  { workers: 4, keys: 1 },
  { workers: 2, keys: 2 },
  { workers: 4, keys: 4 }
] as const

const keyOf = (of: number): string => `cl_bench_${String(of).padStart(16, "0")}`
/** Pages of its products, and seven more: list of games, changelog, expansions, and those that are asked again. */
const requests = games.length * (Math.ceil(products / 200) + 11)

const run = async (folder: string) => {
  const catalogue = join(folder, "catalogue")
  mkdirSync(catalogue)
  for (const game of games) manyDeployments(catalogue, game, { products, deployments: 1 })
  writeFileSync(join(catalogue, "games.json"), JSON.stringify(games.map((id) => ({ id, name: id }))))
  const accounts = join(folder, "accounts.json")
  const named = [1, 2, 3, 4].map((of) => ({ username: `reader${of}`, keys: [{ key: keyOf(of) }] }))
  writeFileSync(accounts, JSON.stringify({ accounts: named }))
  const limits = ["--rate", String(requestsAMinute), "--rate-window", "sliding"]
  const sandbox = await startSandboxOf(catalogue, [...limits, "--accounts-file", accounts])
  const store = await startConditionalStore()
  for (const { keys, workers } of teams) {
    const home = `s3://lakes/${workers}-${keys}`
    const cardlake = (args: ReadonlyArray<string>, key: number) =>
      runProgram([...args, "--json"], { ...store.env, ...settingsOf({ url: sandbox.url, key: keyOf(key) }, home) })
    // A key's minute begins empty.
    await setTimeout(61_000)
    const startedAt = performance.now()
    const planned = await cardlake(["plan"], 1)
    const { night } = JSON.parse(planned.output) as { readonly night: string }
    const left = [...games]
    let cpu = planned.cpuSeconds
    const work = async (worker: number) => {
      for (let game = left.shift(); game !== undefined; game = left.shift()) {
        const { cpuSeconds } = await cardlake(["nightly", game, "--part-of", night], 1 + (worker % keys))
        cpu += cpuSeconds
      }
    }
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
    const published = await cardlake(["publish", night], 1)
    const took = (performance.now() - startedAt) / 1000
    // A key is asked as often as it may be at once, then waits for the next minute.
    const least = 60 * Math.floor((requests / keys - 1) / requestsAMinute)
    console.log(
      `${workers} workers, ${keys} keys`.padEnd(24),
      `${took.toFixed(0)} s, the limits alone ${least.toFixed(0)} s`.padEnd(40),
      `CPU ${(cpu + published.cpuSeconds).toFixed(0)} s`
    )
  }
  sandbox.stop()
  await store.stop()
}

await bench(
  `${games.length} games of ${products.toLocaleString("en-US")} products, ${requestsAMinute} requests a minute for each key`,
  run
)
