import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { runProgram, startSandbox } from "./program.ts"

/**
 * `npm run bench:feeds [PRODUCTS]`: a night by feed files against fetching, unzipping and parsing the same three files
 * alone, and the same night page by page beside it. The sandbox is a second process on the same cores.
 */
const products = Number(process.argv[2] ?? 1_000_000)
const game = "synthetic-1"

const line = (name: string, figure: string, wanted = "") =>
  console.log(`${name.padEnd(58)} ${figure.padEnd(34)} ${wanted}`)

interface Floor {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly bytes: number
}

/** A line at a time: a whole file is longer than a string may be. */
const parseLines = (plain: Buffer): void => {
  for (let from = 0; from < plain.length;) {
    const end = plain.indexOf(10, from)
    const to = end === -1 ? plain.length : end
    if (to > from) JSON.parse(plain.toString("utf8", from, to))
    from = to + 1
  }
}

const floor = async ({ key, url }: { readonly key: string; readonly url: string }): Promise<Floor> => {
  const since = performance.now()
  const cpu = process.cpuUsage()
  const said = await fetch(`${url}/v1/feeds/${game}`, { headers: { authorization: `Bearer ${key}` } })
  const files = (await said.json()) as Readonly<Record<string, { readonly url: string }>>
  let bytes = 0
  for (const { url } of Object.values(files)) {
    const packed = Buffer.from(await (await fetch(url)).arrayBuffer())
    bytes += packed.length
    parseLines(gunzipSync(packed))
  }
  const { system, user } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - since) / 1000, cpuSeconds: (user + system) / 1e6, bytes }
}

/** Megabytes of answers that nights of a home have kept, as they came. */
const keptMegabytes = (home: string): string => {
  const files = readdirSync(join(home, "raw"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".gz")
  )
  return `${(files.reduce((sum, name) => sum + statSync(join(home, "raw", name)).size, 0) / 1e6).toFixed(1)} MB`
}

const run = async (home: string, count: number, isMain: boolean): Promise<number> => {
  const sandbox = await startSandbox(count)
  const settings = (road: string) => ({
    CARDLAKE_URL: sandbox.url,
    CARDLAKE_API_KEY: sandbox.key,
    CARDLAKE_HOME: join(home, `${road}-${count}`),
    CARDLAKE_ROAD: road
  })
  const night = async (road: string) => {
    const { cpuSeconds, output, peakMegabytes, seconds } = await runProgram(["nightly", "--json"], settings(road))
    const { requests } = JSON.parse(output) as { readonly requests: number }
    return { cpuSeconds, peakMegabytes, requests, seconds }
  }
  // The files are packed when they are first asked for.
  await floor(sandbox)
  const before = await floor(sandbox)
  const first = await night("feeds")
  if (isMain) {
    const after = await floor(sandbox)
    const alone = (before.seconds + after.seconds) / 2
    line(
      "a first night by feed files ÷ its files alone",
      `${(first.seconds / alone).toFixed(2)} (${first.seconds.toFixed(1)} s ÷ ${alone.toFixed(1)} s)`,
      "wanted 4.0"
    )
    const aloneCpu = (before.cpuSeconds + after.cpuSeconds) / 2
    line(
      "  in seconds of CPU, of which a busy machine takes none",
      `${(first.cpuSeconds / aloneCpu).toFixed(2)} (${first.cpuSeconds.toFixed(1)} s ÷ ${aloneCpu.toFixed(1)} s)`
    )
    line("  bytes; requests", `${keptMegabytes(settings("feeds").CARDLAKE_HOME)}; ${first.requests}`)
    const same = await night("feeds")
    line(
      "a night that finds nothing new",
      `${same.seconds.toFixed(1)} s; CPU ${same.cpuSeconds.toFixed(1)} s; ${same.requests} requests`
    )
    const pages = await night("pages")
    line("the first night page by page", `${pages.seconds.toFixed(1)} s; CPU ${pages.cpuSeconds.toFixed(1)} s`)
    line("  bytes; requests", `${keptMegabytes(settings("pages").CARDLAKE_HOME)}; ${pages.requests}`)
  }
  line(`peak memory of a first night, ${count} products`, `${first.peakMegabytes.toFixed(0)} MB`, "wanted 1,500 MB")
  sandbox.stop()
  return first.peakMegabytes
}

const home = mkdtempSync(join(tmpdir(), "cardlake-bench-"))
try {
  console.log(`${products.toLocaleString("en-US")} synthetic products, one game, node ${process.version}\n`)
  const large = await run(home, products, true)
  const small = await run(home, products / 5, false)
  line("memory grows with 5 times the products", `${(large / small).toFixed(2)} times`, "wanted under 2.5 times")
} finally {
  rmSync(home, { recursive: true, force: true })
}
