import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fetchAndParse } from "./fetchAndParse.ts"
import { manyDeployments } from "./manyDeployments.ts"
import { ofSource, runProgram, startSandboxOf } from "./program.ts"

/**
 * `npm run bench:small [PRODUCTS] [GAMES] [PROGRAM] [OTHER]`: nights of small games, from the start of the process to its
 * end. PROGRAM and OTHER are `start.mjs` of two packages, by default this checkout; they take turns, so that they meet the
 * same load.
 */
const products = Number(process.argv[2] ?? 20_000)
const games = Number(process.argv[3] ?? 24)
const program = process.argv[4] ?? ofSource
const other = process.argv[5] ?? program
const rounds = 3
const nameOf = (game: number) => `small-${game}`

interface Cost {
  readonly wall: number
  readonly cpu: number
}

const median = (values: ReadonlyArray<number>) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
const middle = (costs: ReadonlyArray<Cost>): Cost => ({
  wall: median(costs.map(({ wall }) => wall)),
  cpu: median(costs.map(({ cpu }) => cpu))
})
const line = (name: string, now: Cost, than: Cost, wanted: string) => {
  const ratio = (figure: keyof Cost) =>
    `${(now[figure] / than[figure]).toFixed(2)} (${now[figure].toFixed(2)} s ÷ ${than[figure].toFixed(2)} s)`
  console.log(`${`${name}, time`.padEnd(58)} ${ratio("wall").padEnd(34)} ${wanted}`)
  console.log(`${`${name}, CPU`.padEnd(58)} ${ratio("cpu").padEnd(34)} ${wanted}`)
}

const run = async (folder: string) => {
  const catalogue = join(folder, "catalogue")
  mkdirSync(catalogue)
  const all = Array.from({ length: games }, (_, game) => nameOf(game))
  for (const game of all) manyDeployments(catalogue, game, { products, deployments: 1 })
  writeFileSync(join(catalogue, "games.json"), JSON.stringify(all.map((id) => ({ id, name: id }))))
  const sandbox = await startSandboxOf(catalogue)
  const night = async (start: string, home: string, of: ReadonlyArray<string>): Promise<Cost> => {
    const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: join(folder, home) }
    const { cpuSeconds, seconds } = await runProgram(["nightly", ...of, "--json"], settings, start)
    return { wall: seconds, cpu: cpuSeconds }
  }
  const floor = async (): Promise<Cost> => {
    const before = { at: performance.now(), cpu: process.cpuUsage() }
    await fetchAndParse(sandbox, nameOf(0))
    const { system, user } = process.cpuUsage(before.cpu)
    return { wall: (performance.now() - before.at) / 1000, cpu: (user + system) / 1e6 }
  }
  const costs = { floor: [await floor()], first: [] as Array<Cost>, otherFirst: [] as Array<Cost> }
  const same = { now: [] as Array<Cost>, other: [] as Array<Cost> }
  const turns = [
    { start: program, home: "one", first: costs.first, again: same.now },
    { start: other, home: "other", first: costs.otherFirst, again: same.other }
  ]
  // The first round makes compiled code and pages, and does not count.
  for (let round = 0; round <= rounds; round++) {
    for (const { again, first, home, start } of round % 2 === 0 ? turns : turns.toReversed()) {
      const [one, two] = [await night(start, home, [nameOf(0)]), await night(start, home, [nameOf(0)])]
      rmSync(join(folder, home), { recursive: true })
      if (round > 0) {
        first.push(one)
        again.push(two)
      }
    }
    costs.floor.push(await floor())
  }
  const single = middle(costs.otherFirst)
  line("nightly ÷ (fetch + unzip + parse), the first", middle(costs.first), middle(costs.floor.slice(1)), "")
  line("the first ÷ the other program's", middle(costs.first), single, "wanted 0.5")
  line("nothing new ÷ the other program's", middle(same.now), middle(same.other), "wanted 0.5")
  const together = await night(program, "all", all)
  const apart = { wall: single.wall * games, cpu: single.cpu * games }
  line(`${games} games in one night ÷ each in one of the other's`, together, apart, "wanted 0.33")
  sandbox.stop()
}

const folder = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  console.log(`${products.toLocaleString("en-US")} products a game, ${games} games\n`)
  await run(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
