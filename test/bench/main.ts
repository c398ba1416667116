import { NodeServices } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { allServices } from "../../pipelines/settings/services.ts"
import { RunId } from "../../src/contract/Ids.ts"
import { extractGame } from "../../src/extract/extractGame.ts"
import { loadSnapshot } from "../../src/lake/load/loadSnapshot.ts"
import { fetchAndParse } from "./fetchAndParse.ts"
import { runProgram, startExplore, startSandbox } from "./program.ts"
import { typedScan } from "./typedScan.ts"

/**
 * `npm run bench [PRODUCTS]`: the road against its physical limits, as ratios measured side by side in one run. The
 * sandbox runs in a second process on the same cores; the pages of a deployment are made once before they are timed.
 */
const products = Number(process.argv[2] ?? 1_000_000)
const game = "synthetic-1"

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}
const median = (values: ReadonlyArray<number>) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN
const line = (name: string, figure: string, wanted: string) =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`)

/** What people type: a whole name, parts of names, letters of another script, a slug, an id. */
const searched = ["Aaaaa Warden", "warden", "aaab", "闇の", "aaaaa-warden-synthetic-1", "9007000000000000"]

/** The page that answers a search, whole, from a lake that is open. */
const search = async (home: string) => {
  const explorer = await startExplore(home)
  const page = async (text: string) => {
    const answer = await fetch(`${explorer.url}/search?q=${encodeURIComponent(text)}`)
    if (answer.status !== 200) throw new Error(`search answered ${answer.status}`)
    await answer.text()
  }
  await page("warden")
  const medians: Array<number> = []
  for (const text of searched) {
    const took: Array<number> = []
    for (let round = 0; round < 5; round++) took.push(await seconds(() => page(text)))
    medians.push(median(took) * 1000)
  }
  explorer.stop()
  line(
    "explore, a search; the slowest",
    `${median(medians).toFixed(0)} ms; ${Math.max(...medians).toFixed(0)} ms`,
    "wanted 100 ms"
  )
}

const run = async (home: string) => {
  console.log(`${products.toLocaleString("en-US")} synthetic products, one game, gzip, node ${process.version}\n`)
  const sandbox = await startSandbox(products)
  const settings = { CARDLAKE_URL: sandbox.url, CARDLAKE_API_KEY: sandbox.key, CARDLAKE_HOME: home }
  const services = allServices(settings).pipe(Layer.provideMerge(NodeServices.layer))
  const extract = (runId: RunId) =>
    Effect.runPromise(
      extractGame({ gameId: game, runId, folder: join(home, "raw", game, runId), previousDeploymentId: null }).pipe(
        Effect.provide(services)
      )
    )
  await fetchAndParse(sandbox, game)

  const fetched: Array<number> = []
  const extracted: Array<number> = []
  for (const round of [1, 2, 3]) {
    fetched.push(await seconds(() => fetchAndParse(sandbox, game)))
    extracted.push(await seconds(() => extract(RunId.make(`bench-${round}`))))
    rmSync(join(home, "raw"), { recursive: true, force: true })
  }
  const a = median(extracted) / median(fetched)
  line(
    "(a) extract ÷ (fetch + gunzip + JSON.parse)",
    `${a.toFixed(2)} (${median(extracted).toFixed(1)} s ÷ ${median(fetched).toFixed(1)} s)`,
    "wanted 1.5"
  )

  const extraction = await extract(RunId.make("bench-load"))
  const folder = join(home, "raw", game, "bench-load")
  const scanned: Array<number> = []
  const loaded: Array<number> = []
  for (let round = 0; round < 3; round++) {
    scanned.push(await seconds(() => typedScan(extraction, folder)))
    loaded.push(await seconds(() => Effect.runPromise(loadSnapshot(extraction, null).pipe(Effect.provide(services)))))
  }
  const b = median(loaded) / median(scanned)
  line(
    "(b) load, tables and Parquet ÷ DuckDB's typed scan",
    `${b.toFixed(2)} (${median(loaded).toFixed(1)} s ÷ ${median(scanned).toFixed(1)} s)`,
    "wanted 5"
  )

  const fresh = { ...settings, CARDLAKE_HOME: join(home, "nights") }
  const night = await runProgram(["nightly", "--json"], fresh)
  line("(c) nightly", `${night.seconds.toFixed(1)} s`, "wanted 60 s")
  line("(d) its peak memory", `${night.peakMegabytes.toFixed(0)} MB`, "wanted 2,000 MB")

  await fetch(`${sandbox.url}/sandbox/deploy`, { method: "POST", body: JSON.stringify({ gameId: game }) })
  await fetchAndParse(sandbox, game)
  const second = await runProgram(["nightly", "--json"], fresh)
  line("(c) nightly after a deployment, diff included", `${second.seconds.toFixed(1)} s`, "")
  const diff = await runProgram(["diff", game, "--json"], fresh)
  line("(e) diff of the two snapshots", `${diff.seconds.toFixed(1)} s`, "wanted 4 s")
  sandbox.stop()
  await search(fresh.CARDLAKE_HOME)

  const fifth = await startSandbox(products / 5)
  const small = await runProgram(["nightly", "--json"], {
    CARDLAKE_URL: fifth.url,
    CARDLAKE_API_KEY: fifth.key,
    CARDLAKE_HOME: join(home, "small")
  })
  fifth.stop()
  line("(d) peak memory with a fifth of the products", `${small.peakMegabytes.toFixed(0)} MB`, "")
  line(
    "(d) memory grows with 5 times the products",
    `${(night.peakMegabytes / small.peakMegabytes).toFixed(2)} times`,
    "wanted under 2.5 times"
  )

  const helps: Array<number> = []
  for (let round = 0; round < 6; round++) helps.push((await runProgram(["--help"], {})).seconds)
  line("(f) --help", `${median(helps.slice(1)).toFixed(2)} s`, "wanted 0.3 s")
}

const home = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  await run(home)
} finally {
  rmSync(home, { recursive: true, force: true })
}
