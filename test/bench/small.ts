import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fetchAndParse } from "./fetchAndParse.ts"
import { manyDeployments } from "./manyDeployments.ts"
import { ofSource, runProgram, settingsOf, startSandboxOf } from "./program.ts"
import { bench, line, median, ratio, type Used, used } from "./report.ts"

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

const middle = (all: ReadonlyArray<Used>): Used => ({
  seconds: median(all.map(({ seconds }) => seconds)),
  cpuSeconds: median(all.map(({ cpuSeconds }) => cpuSeconds))
})
const compare = (name: string, now: Used, than: Used, wanted: string) => {
  line(`${name}, time`, ratio(now.seconds, than.seconds, 2, " s"), wanted)
  line(`${name}, CPU`, ratio(now.cpuSeconds, than.cpuSeconds, 2, " s"), wanted)
}

const run = async (folder: string) => {
  const catalogue = join(folder, "catalogue")
  mkdirSync(catalogue)
  const all = Array.from({ length: games }, (_, game) => nameOf(game))
  for (const game of all) manyDeployments(catalogue, game, { products, deployments: 1 })
  writeFileSync(join(catalogue, "games.json"), JSON.stringify(all.map((id) => ({ id, name: id }))))
  const sandbox = await startSandboxOf(catalogue)
  const night = (start: string, home: string, of: ReadonlyArray<string>): Promise<Used> =>
    runProgram(["nightly", ...of, "--json"], settingsOf(sandbox, join(folder, home)), start)
  const floor = () => used(() => fetchAndParse(sandbox, nameOf(0)))
  const costs = { floor: [await floor()], first: [] as Array<Used>, otherFirst: [] as Array<Used> }
  const same = { now: [] as Array<Used>, other: [] as Array<Used> }
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
  compare("nightly ÷ (fetch + unzip + parse), the first", middle(costs.first), middle(costs.floor.slice(1)), "")
  compare("the first ÷ the other program's", middle(costs.first), single, "wanted 0.5")
  compare("nothing new ÷ the other program's", middle(same.now), middle(same.other), "wanted 0.5")
  const together = await night(program, "all", all)
  const apart = { seconds: single.seconds * games, cpuSeconds: single.cpuSeconds * games }
  compare(`${games} games in one night ÷ each in one of the other's`, together, apart, "wanted 0.33")
  sandbox.stop()
}

await bench(`${products.toLocaleString("en-US")} products a game, ${games} games`, run)
