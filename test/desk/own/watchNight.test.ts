import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { readFileSync } from "node:fs"
import { cardlake, filesBelow, json, remove, settings, startSandbox, temporaryFolder } from "../../pipelines/cli.ts"

const folder = temporaryFolder()
const home = join(folder, "home")
let sandbox: Awaited<ReturnType<typeof startSandbox>>
const posted: Array<string> = []
const hook = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += String(chunk)))
  request.on("end", () => {
    posted.push(body)
    response.end()
  })
})

beforeAll(async () => {
  sandbox = await startSandbox({ odd: false, livePrices: "frozen" })
  await once(hook.listen(0, "127.0.0.1"), "listening")
})
afterAll(async () => {
  hook.close()
  await sandbox.stop()
  remove(folder)
})

const run = (...args: ReadonlyArray<string>) => cardlake(args, { env: settings(sandbox.url, home) })

it("a night tells, and posts, what has newly reached a bound, and stores nothing of it", async () => {
  const quiet = await run("nightly", "emberfall")
  assert.notInclude(quiet.stdout, "Watched")
  // Its price is one the next deployment changes.
  const sql =
    "select product_id from source_prices where source = 'sourceEur' and finish = 'Standard' order by product_id limit 40"
  const products = (json(await run("query", "--json", sql)) as ReadonlyArray<{ readonly product_id: number }>).map(
    ({ product_id }) => product_id
  )
  for (const product of products.slice(0, 12)) {
    const added = await run("watch", "add", String(product), "--percent", "0.01", "--days", "1")
    assert.strictEqual(added.code, 0, added.stderr)
  }
  await sandbox.deploy("emberfall")
  const address = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`
  const told = await run("nightly", "emberfall", "--notify", address)
  assert.match(told.stdout, /^Watched: .+: [€$][\d.]+, [+−][\d.]+ %, moved 0\.01 % or more/m)
  const { watchHits } = JSON.parse(posted.at(-1) ?? "") as {
    readonly watchHits: ReadonlyArray<{ readonly name: string }>
  }
  assert.isAbove(watchHits.length, 0)
  const stored = filesBelow(join(home, "runs")).map((file) => readFileSync(file, "utf8"))
  assert.isFalse(stored.some((text) => text.includes("watchHits")))
  // The next night finds nothing new.
  const again = json(await run("nightly", "emberfall", "--json"))
  assert.notProperty(again, "watchHits")
}, 120_000)
