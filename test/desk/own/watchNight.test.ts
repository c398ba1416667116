import { assert, it } from "@effect/vitest"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { readFileSync } from "node:fs"
import { cardlake, filesBelow, json, settings } from "../../pipelines/cli.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { catalogueHere, folderHere } from "../../support/place.ts"

const home = join(folderHere(), "home")
const priced = (marketValue: number) => ({
  products: [card(1, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", marketValue } } } })]
})
const sandbox = await catalogueHere({ [gameId]: [priced(4), priced(5)] }, { livePrices: "frozen" })

const run = (...args: ReadonlyArray<string>) => cardlake(args, { env: settings(sandbox.url, home) })

it("a night tells, and posts, what has newly reached a bound, and stores nothing of it", async () => {
  const posted: Array<string> = []
  const hook = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => (body += String(chunk)))
    request.on("end", () => {
      posted.push(body)
      response.end()
    })
  })
  await once(hook.listen(0, "127.0.0.1"), "listening")
  const quiet = await run("nightly")
  assert.notInclude(quiet.stdout, "Watched")
  const added = await run("watch", "add", "1", "--percent", "10", "--days", "1")
  assert.strictEqual(added.code, 0, added.stderr)
  await sandbox.deploy(gameId)
  const night = await run("nightly", "--notify", `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`)
  hook.close()
  assert.match(night.stdout, /^Watched: .+: €5\.00, \+25\.00 %, moved 10 % or more/m)
  const { watchHits } = JSON.parse(posted.at(-1) ?? "") as { readonly watchHits: ReadonlyArray<object> }
  assert.strictEqual(watchHits.length, 1)
  const stored = filesBelow(join(home, "runs")).map((file) => readFileSync(file, "utf8"))
  assert.isFalse(stored.some((text) => text.includes("watchHits")))
  // The next night finds nothing new.
  assert.notProperty(json(await run("nightly", "--json")), "watchHits")
})
