import { folderHere, sandboxHere } from "../support/place.ts"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { cardlake, node, root, settings, start, startCardlake } from "./cli.ts"
import { startProxy } from "./proxy.ts"
import { game, servedNights } from "./servedNights.ts"

/** How long the proxy holds back each page of products, so that a night takes a while. */
const slowMillis = 1500
const productsBefore = 399
const productsAfter = 412

const folder = folderHere()
const [{ first }, sandbox] = [await servedNights(), await sandboxHere()]
let slow: Awaited<ReturnType<typeof startProxy>>

/** A home of its own for a test, with the first night published and a deployment waiting. */
const homeFor = async (test: string) => {
  const home = join(folder, test)
  cpSync(first, home, { recursive: true })
  // A lake names its Parquet by path, so the first run at another path rebuilds it.
  await cardlake(["prune", "--keep-last", "9", "--yes", "--home", home])
  return home
}

beforeAll(async () => {
  slow = await startProxy(sandbox.url, ({ answer, path }) =>
    path.startsWith("/v1/products/search") ? setTimeout(slowMillis, answer) : answer
  )
  await sandbox.deploy(game)
})
afterAll(() => slow.stop())

describe.concurrent("while a night is going on", () => {
  it("another process opens the lake read-only and gets the old state until the new one is there", async () => {
    const home = await homeFor("read")
    const reader = start(node, [join(root, "test/pipelines/lakeReader.ts"), join(home, "lake.duckdb")])
    await reader.shows("}\n")
    const night = startCardlake(["nightly", game, "--json"], { env: settings(slow.url, home) })
    let running = true
    void night.ended.then(() => (running = false))
    let during = ""
    reader.process.stdout?.on("data", (text: string) => {
      if (running) during += text
    })
    const ended = await night.ended
    assert.strictEqual(ended.code, 0, ended.stderr)
    await reader.shows(`"current":${productsAfter}`)
    reader.process.kill()
    const all = await reader.ended
    assert.strictEqual(all.stderr, "")
    const answers = (text: string) =>
      text
        .split("\n")
        .filter((line) => line.endsWith("}"))
        .map((line) => JSON.parse(line) as { current: number; kept: number })
    assert.isAbove(answers(during).length, 10)
    const seen = answers(all.stdout)
    assert.deepStrictEqual([...new Set(seen.map(({ current }) => current))], [productsBefore, productsAfter])
    assert.deepStrictEqual([...new Set(seen.map(({ kept }) => kept))], [productsBefore])
  })
})
