import { join } from "node:path"
import { Effect } from "effect"
import { runProgram, seedNight, startExplore, startSandboxOf } from "./program.ts"
import { bench, dayMillis, line } from "./report.ts"
import { inHome, publishYear, yearOfNights } from "./yearOfNights.ts"

/**
 * `npm run bench:desk CATALOGUE GAME [NIGHTS] [PRODUCT]`: how long the explorer takes for the pages that somebody who
 * prices cards waits for, over nights made from a catalogue's. The median of twenty, with the lake already open.
 */
const [catalogue = "data/sample", game = "clockwork-orchard", nights = "30", product] = process.argv.slice(2)
const last = Date.parse("2026-11-20T03:00:00Z")

const makeHome = async (folder: string) => {
  const seed = await seedNight(await startSandboxOf(catalogue), game, join(folder, "seed"))
  const home = join(folder, "home")
  const count = Number(nights)
  await inHome(home, Effect.flatMap(yearOfNights(seed, last - (count - 1) * dayMillis, count), publishYear))
  return home
}

/** The product of the highest price, if none is named. */
const dearest = async (home: string): Promise<string> => {
  const sql = "select product_id from source_prices order by market_value desc nulls last, product_id limit 1"
  const { output } = await runProgram(["query", "--home", home, "--csv", sql], {})
  return output.trim().split("\n").at(-1)?.trim() ?? ""
}

const waitFor = async (url: string): Promise<string> => {
  const took: Array<number> = []
  for (let round = 0; round < 23; round++) {
    const startedAt = performance.now()
    const answer = await fetch(url)
    if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
    await answer.text()
    // The first ones open the lake and audit its ids.
    if (round > 2) took.push(performance.now() - startedAt)
  }
  const sorted = took.toSorted((a, b) => a - b)
  return `${(sorted[10] ?? NaN).toFixed(0)} ms; slowest ${(sorted.at(-1) ?? NaN).toFixed(0)} ms`
}

await bench(`${game}, ${nights} nights`, async (folder) => {
  const home = await makeHome(folder)
  const explorer = await startExplore(home)
  const pages = [
    ["the first page", "/", "wanted 1000 ms"],
    ["suggestions", "/search/suggestions?q=dragon", "wanted 50 ms"],
    ["results of a search", "/search?q=dragon", "wanted 100 ms"],
    ["the page of a product", `/games/${game}/products/${product ?? (await dearest(home))}`, "wanted 150 ms"],
    ["movers of 7 days", `/games/${game}/movers`, "wanted 300 ms"]
  ] as const
  for (const [name, path, wanted] of pages) line(name, await waitFor(explorer.url + path), wanted)
  explorer.stop()
})
