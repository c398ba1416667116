import { folderHere } from "../support/place.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assertFault, cardlake, json, startCardlake } from "./cli.ts"
import { rawRequest } from "../feed/guard/rawRequest.ts"
import { game, servedNights } from "./servedNights.ts"
import { tried } from "../tried.ts"

const { env } = await servedNights()
const folder = folderHere()

/** Starts the pages; the address is the one object that `--json` prints. */
const explore = async () => {
  const hosts = ["--allow-host", "first.example", "--allow-host", "Second.Example"]
  const started = startCardlake(["explore", "--port", "0", "--json", ...hosts], { env, cwd: folder })
  let line = ""
  started.process.stdout?.on("data", (text: string) => (line += text))
  await started.shows("\n")
  return { ...started, url: (JSON.parse(line) as { url: string }).url }
}

for (const signal of tried(["SIGTERM", "SIGINT"] as const, (signal) => signal === "SIGTERM")) {
  it(`explore prints its address once it listens, and ends on ${signal}, even while a query runs`, async () => {
    const { ended, process: child, url } = await explore()
    assert.strictEqual((await fetch(`${url}/games/${game}/movers`)).status, 200)
    const statusAs = async (host: string) =>
      (await Effect.runPromise(rawRequest(url, ["GET /console HTTP/1.1", `Host: ${host}`]))).status
    const hosts = ["first.example:80", "second.example", "third.example"]
    assert.deepStrictEqual(await Promise.all(hosts.map(statusAs)), [200, 200, 403])
    const sql = "select count(*) from range(1000000) a, range(1000000) b"
    const endless = fetch(`${url}/console`, {
      method: "POST",
      body: new URLSearchParams({ sql }),
      headers: { origin: url }
    })
    const cut = endless.then(
      () => false,
      () => true
    )
    await setTimeout(500)
    child.kill(signal)
    const { code } = await ended
    assert.strictEqual(code, 130)
    await cut
  })
}

it("explore on a port that is taken says how to choose another one, exit code 1", async () => {
  const taken = createServer()
  await once(taken.listen(0, "127.0.0.1"), "listening")
  const { port } = taken.address() as AddressInfo
  const ended = await cardlake(["explore", "--port", String(port)], { env, cwd: folder })
  taken.close()
  assertFault(
    ended,
    1,
    /^cardlake: Cannot listen on port \d+ of 127\.0\.0\.1\. Use a free port: cardlake explore --port 0$/
  )
})

it("search lists products in at most 80 columns, and exactly as JSON", async () => {
  const search = (...args: ReadonlyArray<string>) => cardlake(["search", ...args], { env, cwd: folder })
  const { stdout } = await search("kind:sealed")
  for (const line of stdout.split("\n")) assert.isAtMost(line.length, 80, line)
  assert.match(stdout, /^name +market value +number +id/)
  assert.match(stdout, /\nThe first 20 of \d+ products\. More: --most \d+\n$/)
  const found = json(await search("--json", "--most", "2", "--game", game, "kind:sealed", "price>1")) as {
    readonly found: number
    readonly products: ReadonlyArray<{ readonly market_value: string }>
  }
  assert.isAbove(found.found, 2)
  assert.strictEqual(found.products.length, 2)
  for (const product of found.products) assert.match(product.market_value, /^\d+\.\d{4}$/)
  assert.match((await search("qqzzqq")).stdout, /^No product matches "qqzzqq"/)
  assertFault(await search("--game", "nowhere", "a"), 2, /The lake has no game nowhere\. It has: /)
})
