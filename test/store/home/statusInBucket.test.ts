import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer } from "node:http"
import { repricedGame } from "../lake/invented.ts"
import { type TinyBucket, tinyBucket } from "./tinyBucket.ts"

const gameId = "cedar"
let tiny: TinyBucket
beforeAll(async () => {
  tiny = await tinyBucket({ [gameId]: repricedGame(gameId, { days: 3 }) })
})
afterAll(() => tiny.stop())

interface Night {
  readonly games: ReadonlyArray<{ readonly verdict: string; readonly resumedPages?: number }>
}
const objects = () => [...tiny.store.objects.keys()].filter((name) => !name.includes(".raw.")).toSorted()

it("status reads a home in a bucket; a dry run leaves only pages there, which the next night uses", async () => {
  assert.strictEqual((await tiny.run("nightly")).code, 0)
  const status = await tiny.run("status", "--json")
  assert.strictEqual(status.code, 0, status.stdout + status.stderr)
  const { findings } = JSON.parse(status.stdout) as { findings: ReadonlyArray<{ name: string; says: string }> }
  assert.match(findings.find(({ name }) => name === "last night")?.says ?? "", /^published \d+s ago, 1 game$/)
  assert.isUndefined(findings.find(({ name }) => name === "disk"))

  await tiny.sandbox.deploy(gameId)
  const before = objects()
  const dry = await tiny.run("nightly", "--dry-run")
  assert.match(dry.stdout, /^cedar +would be published /m)
  assert.deepStrictEqual(objects(), before)
  const night = JSON.parse((await tiny.run("nightly", "--json")).stdout) as Night
  assert.strictEqual(night.games[0]?.verdict, "published")
  assert.isAbove(night.games[0]?.resumedPages ?? 0, 0)
})

it("exchange rates of a home in a bucket are loaded once a day, and status knows their age", async () => {
  let requests = 0
  const bank = createServer((_, response) => {
    requests += 1
    response.end("Date,USD\n2026-08-21,1.1\n")
  }).listen(0, "127.0.0.1")
  await once(bank, "listening")
  const address = bank.address()
  const source = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/rates.csv`
  const loaded = await tiny.run("fx", source, "--daily", "--json")
  assert.deepInclude(JSON.parse(loaded.stdout), { rates: 1, isNew: true })
  assert.deepInclude(JSON.parse((await tiny.run("fx", source, "--daily", "--json")).stdout), { isNew: false })
  bank.close()
  assert.strictEqual(requests, 1)
  assert.match((await tiny.run("status")).stdout, /^WARN rates {8}Exchange rates up to 2026-08-21, \d+d/m)
})
