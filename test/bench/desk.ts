import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { idOf } from "../store/lake/invented.ts"
import { runProgram, startExplore, startSandboxOf } from "./program.ts"
import { yearOfNights } from "./yearOfNights.ts"

/**
 * `npm run bench:desk CATALOGUE GAME [NIGHTS] [PRODUCT]`: how long the explorer takes for the pages that somebody who
 * prices cards waits for, over nights made from a catalogue's. The median of twenty, with the lake already open.
 */
const [catalogue = "data/sample", game = "clockwork-orchard", nights = "30", product] = process.argv.slice(2)
const day = 24 * 3600 * 1000
const last = Date.parse("2026-11-20T03:00:00Z")

const line = (name: string, figure: string, wanted: string) =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`)

const makeHome = async (folder: string) => {
  const sandbox = await startSandboxOf(catalogue)
  const seed = join(folder, "seed")
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: seed }
  await runProgram(["nightly", game, "--json"], settings)
  sandbox.stop()
  const snapshots = join(seed, "snapshots", `game=${game}`)
  const home = join(folder, "home")
  const made = Effect.gen(function* () {
    const count = Number(nights)
    const seeded = join(snapshots, readdirSync(snapshots)[0] ?? "")
    const current = yield* yearOfNights(seeded, last - (count - 1) * day, count)
    yield* publish(idOf("bench"), current, yield* lockHome("bench", idOf("bench")))
  }).pipe(Effect.scoped)
  const services = lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))
  await Effect.runPromise(made.pipe(Effect.provide(services)))
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

const folder = mkdtempSync(join(tmpdir(), "cardlake-desk-"))
try {
  const home = await makeHome(folder)
  const explorer = await startExplore(home)
  console.log(`${game}, ${nights} nights`)
  const pages = [
    ["the first page", "/", "wanted 1000 ms"],
    ["suggestions", "/search/suggestions?q=dragon", "wanted 50 ms"],
    ["results of a search", "/search?q=dragon", "wanted 100 ms"],
    ["the page of a product", `/games/${game}/products/${product ?? (await dearest(home))}`, "wanted 150 ms"],
    ["movers of 7 days", `/games/${game}/movers`, "wanted 300 ms"]
  ] as const
  for (const [name, path, wanted] of pages) line(name, await waitFor(explorer.url + path), wanted)
  explorer.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
