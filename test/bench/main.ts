import { rmSync } from "node:fs"
import { join } from "node:path"
import { manyDeployments } from "./manyDeployments.ts"
import {
  deploy,
  type Finished,
  runProgram,
  type Service,
  settingsOf,
  startExplore,
  startSandbox,
  startSandboxOf
} from "./program.ts"
import { bench, line, median, ratio, type Used, used } from "./report.ts"
import { gunzipSync } from "node:zlib"
import { Agent, request } from "@effect/platform-node/Undici"

const atOnce = 16
const limit = 200

/**
 * The floor under an extraction: every product page fetched,
 * unzipped and parsed, nothing kept. Returns the records seen.
 */
const fetchAndParse = async (sandbox: { url: string; key: string }, gameId: string): Promise<number> => {
  const dispatcher = new Agent({ connections: atOnce })
  const page = async (offset: number) => {
    const { body } = await request(`${sandbox.url}/v1/products/search?limit=${limit}&offset=${offset}`, {
      dispatcher,
      method: "POST",
      headers: {
        authorization: `Bearer ${sandbox.key}`,
        "accept-encoding": "gzip",
        "content-type": "application/json"
      },
      body: JSON.stringify({ offset, limit, gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" })
    })
    return JSON.parse(gunzipSync(await body.arrayBuffer()).toString()) as {
      data: ReadonlyArray<unknown>
      pagination: { total: number }
    }
  }
  const first = await page(0)
  let records = first.data.length
  let next = limit
  const worker = async (): Promise<void> => {
    while (next < first.pagination.total) {
      const offset = next
      next += limit
      const { length } = (await page(offset)).data
      records += length
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  await dispatcher.close()
  return records
}

/**
 * `npm run bench [PRODUCTS]`: a night against its physical limits, as ratios measured side by side.
 * The sandbox is a second process on the same cores; its pages are made before they are timed.
 */
const products = Number(process.argv[2] ?? 1_000_000)
const game = "synthetic-1"

/** What people type: a whole name, parts of names, letters of another script, a slug, an id. */
const searched = ["Aaaaa Warden", "warden", "aaab", "闇の", "aaaaa-warden-synthetic-1", "9007000000000000"]

/** How long the explorer takes for the whole page of a search, with the lake already open. */
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
    for (let round = 0; round < 5; round++) took.push((await used(() => page(text))).seconds)
    medians.push(median(took) * 1000)
  }
  explorer.stop()
  line(
    "explore, a search; the slowest",
    `${median(medians).toFixed(0)} ms; ${Math.max(...medians).toFixed(0)} ms`,
    "wanted 100 ms"
  )
}

/** The stages in a night's log, each with its seconds. */
const stages = ({ errors }: Finished): string =>
  errors
    .split("\n")
    .flatMap((text) => {
      const [, stage, seconds] = /"stage":"(\w+)".*?"seconds":([\d.]+)/.exec(text) ?? []
      return stage === undefined ? [] : [`${stage} ${Number(seconds).toFixed(1)}`]
    })
    .join(", ")

/** First nights of a fifth of the products in either dialect, in turns: a page in live words is not slower. */
const dialects = async (home: string) => {
  const names = ["spec", "live"] as const
  const sandboxes = await Promise.all(names.map((dialect) => startSandbox(products / 5, dialect)))
  const ratios: Array<number> = []
  for (let round = 0; round < 5; round++) {
    const cpu: Array<number> = []
    for (const [index, sandbox] of sandboxes.entries()) {
      const folder = join(home, `${names[index]}-${round}`)
      cpu.push((await runProgram(["nightly", "--json"], settingsOf(sandbox, folder))).cpuSeconds)
      rmSync(folder, { recursive: true })
    }
    ratios.push((cpu[1] ?? NaN) / (cpu[0] ?? NaN))
  }
  for (const { stop } of sandboxes) stop()
  line("a first night in live words ÷ in the spec's, CPU", median(ratios.slice(1)).toFixed(3), "wanted 1.03")
}

/** Nights of one game, each between two runs of its floor. */
const nightsOf = (sandbox: Service, gameId: string, folder: string) => {
  const floor = () => used(() => fetchAndParse(sandbox, gameId))
  const settings = settingsOf(sandbox, folder)
  const night = async (name: string, wanted: string) => {
    const before = await floor()
    const finished = await runProgram(["nightly", "--json", "--log", "json"], settings)
    const after = await floor()
    const alone = (figure: keyof Used) => (before[figure] + after[figure]) / 2
    line(`nightly ÷ (fetch + unzip + parse), ${name}`, ratio(finished.seconds, alone("seconds"), 1, " s"), wanted)
    line("  CPU", ratio(finished.cpuSeconds, alone("cpuSeconds"), 1, " s"))
    line("  stages", stages(finished))
    line("  peak memory", `${finished.peakMegabytes.toFixed(0)} MB`, "wanted 1,200 MB")
    return finished
  }
  const deployNext = async () => {
    await deploy(sandbox, gameId)
    await fetchAndParse(sandbox, gameId)
  }
  return { settings, night, deployNext }
}

/** A usual night of a fifth of the products: of 1,000, prices of 800 move and facts of 2. */
const usual = async (home: string) => {
  const folder = join(home, "usual-catalogue")
  manyDeployments(folder, game, { deployments: 3, products: products / 5 }, { prices: 800, facts: 2 })
  const sandbox = await startSandboxOf(folder)
  const { deployNext, night } = nightsOf(sandbox, game, join(home, "usual"))
  await fetchAndParse(sandbox, game)
  console.log(
    `\n${(products / 5).toLocaleString("en-US")} products, of which 80 % move their prices and 0.2 % their facts`
  )
  await night("the first", "wanted 3.6")
  await night("nothing new", "wanted 1.0")
  for (const name of ["a usual one", "the usual one after it"]) {
    await deployNext()
    await night(name, "wanted 3.0, CPU 4.2")
  }
  sandbox.stop()
  console.log()
}

const run = async (home: string) => {
  const sandbox = await startSandbox(products)
  const { deployNext, night, settings } = nightsOf(sandbox, game, join(home, "nights"))
  await fetchAndParse(sandbox, game)
  const first = await night("the first", "wanted 3.6")
  await night("nothing new", "wanted 0.8")
  await deployNext()
  await night("after a deployment", "wanted 2.9")
  const diff = await runProgram(["diff", game, "--json"], settings)
  line("diff of the two snapshots", `${diff.seconds.toFixed(1)} s`, "wanted 4 s")
  sandbox.stop()
  await search(settings.CARDLAKE_HOME)

  const fifth = await startSandbox(products / 5)
  const small = await runProgram(["nightly", "--json"], settingsOf(fifth, join(home, "small")))
  fifth.stop()
  line("peak memory with a fifth of the products", `${small.peakMegabytes.toFixed(0)} MB`)
  line(
    "memory grows with 5 times the products",
    `${(first.peakMegabytes / small.peakMegabytes).toFixed(2)} times`,
    "wanted under 2.5 times"
  )

  await usual(home)
  await dialects(home)

  const helps: Array<number> = []
  for (let round = 0; round < 6; round++) helps.push((await runProgram(["--help"], {})).seconds)
  line("--help", `${median(helps.slice(1)).toFixed(2)} s`, "wanted 0.3 s")
}

await bench(`${products.toLocaleString("en-US")} synthetic products, one game, gzip, node ${process.version}`, run)
