import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { runProgram, type Service, settingsOf, startSandbox } from "./program.ts"
import { bench, line, ratio, type Used, used } from "./report.ts"

/**
 * `npm run bench:feeds [PRODUCTS]`: a night by feed files against fetching, unzipping and parsing the same three files
 * alone, and the same night page by page beside it. The sandbox is a second process on the same cores.
 */
const products = Number(process.argv[2] ?? 1_000_000)
const game = "synthetic-1"

/** A line at a time: a whole file is longer than a string may be. */
const parseLines = (plain: Buffer): void => {
  for (let from = 0; from < plain.length;) {
    const end = plain.indexOf(10, from)
    const to = end === -1 ? plain.length : end
    if (to > from) JSON.parse(plain.toString("utf8", from, to))
    from = to + 1
  }
}

/** What it takes to fetch, unzip and parse the files of the game. */
const floor = ({ key, url }: Pick<Service, "key" | "url">) =>
  used(async () => {
    const said = await fetch(`${url}/v1/feeds/${game}`, { headers: { authorization: `Bearer ${key}` } })
    for (const file of Object.values((await said.json()) as Readonly<Record<string, { readonly url: string }>>))
      parseLines(gunzipSync(Buffer.from(await (await fetch(file.url)).arrayBuffer())))
  })

/** Megabytes of answers that nights of a home have kept, as they came. */
const keptMegabytes = (home: string): string => {
  const files = readdirSync(join(home, "raw"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".gz")
  )
  return `${(files.reduce((sum, name) => sum + statSync(join(home, "raw", name)).size, 0) / 1e6).toFixed(1)} MB`
}

const run = async (home: string, count: number, isMain: boolean): Promise<number> => {
  const sandbox = await startSandbox(count)
  const homeBy = (via: string) => join(home, `${via}-${count}`)
  const night = async (via: string) => {
    const { cpuSeconds, output, peakMegabytes, seconds } = await runProgram(["nightly", "--json"], {
      ...settingsOf(sandbox, homeBy(via)),
      CARDLAKE_VIA: via
    })
    const { requests } = JSON.parse(output) as { readonly requests: number }
    return { cpuSeconds, peakMegabytes, requests, seconds }
  }
  // The files are packed when they are first asked for.
  await floor(sandbox)
  const before = await floor(sandbox)
  const first = await night("feeds")
  if (isMain) {
    const after = await floor(sandbox)
    const alone = (figure: keyof Used) => (before[figure] + after[figure]) / 2
    line("a first night by feed files ÷ its files alone", ratio(first.seconds, alone("seconds"), 1, " s"), "wanted 4.0")
    const ofCpu = ratio(first.cpuSeconds, alone("cpuSeconds"), 1, " s")
    line("  in seconds of CPU, of which a busy machine takes none", ofCpu)
    line("  bytes; requests", `${keptMegabytes(homeBy("feeds"))}; ${first.requests}`)
    const same = await night("feeds")
    line(
      "a night that finds nothing new",
      `${same.seconds.toFixed(1)} s; CPU ${same.cpuSeconds.toFixed(1)} s; ${same.requests} requests`
    )
    const pages = await night("pages")
    line("the first night page by page", `${pages.seconds.toFixed(1)} s; CPU ${pages.cpuSeconds.toFixed(1)} s`)
    line("  bytes; requests", `${keptMegabytes(homeBy("pages"))}; ${pages.requests}`)
  }
  line(`peak memory of a first night, ${count} products`, `${first.peakMegabytes.toFixed(0)} MB`, "wanted 1,500 MB")
  sandbox.stop()
  return first.peakMegabytes
}

await bench(`${products.toLocaleString("en-US")} synthetic products, one game, node ${process.version}`, async (home) => {
  const large = await run(home, products, true)
  const small = await run(home, products / 5, false)
  line("memory grows with 5 times the products", `${(large / small).toFixed(2)} times`, "wanted under 2.5 times")
})
