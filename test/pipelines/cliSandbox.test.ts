import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { catalogueFolder } from "../store/lake/invented.ts"
import { rawRequest } from "../feed/guard/rawRequest.ts"
import { cardlake, json, key, remove, start, startCardlake, temporaryFolder } from "./cli.ts"
import { isFull } from "../tried.ts"

/** What a shell gets when the printed commands are pasted, one after the other. */
const pasted = async (printed: string): Promise<ReadonlyArray<string>> => {
  const answers: Array<string> = []
  for (const [command] of printed.matchAll(/curl (?:.*[\\,]\n)*.*/g)) {
    // One after the other: the last one shows what the one before did.
    answers.push((await start("sh", ["-c", `${command} -sf`]).ended).stdout)
  }
  return answers
}

it("sandbox prints commands that work as they are, serves odd records with --odd, and answers to the names that it was given", async () => {
  const names = ["--allow-host", "lake.example", "--allow-host", "[fd00::1]"]
  const started = startCardlake([
    "sandbox",
    "--odd",
    "--key",
    key,
    "--dialect",
    "live",
    "--rate-window",
    "sliding",
    ...names
  ])
  let printed = ""
  started.process.stdout?.on("data", (text: string) => (printed += text))
  try {
    await started.shows("Stop with Ctrl-C")
    assert.match(printed, /listens at http:\/\/127\.0\.0\.1:\d+\/v1$/m)
    assert.isAtMost(Math.max(...printed.split("\n").map((line) => line.length)), 80)
    const [stock = "", sold = "", sale = "", deployed = "", dialect] = await pasted(printed)
    assert.match(stock, /^\{"data":\[\{"id":"\w+",/)
    const [, order] = /^\{"orders":\["(CL-\d+)"\]\}$/.exec(sold) ?? []
    assert.include(sale, `"orderNumber":"${order}","status":"pending_shipment"`)
    assert.include(deployed, `{"gameId":"emberfall","deploymentId":`)
    assert.strictEqual(dialect, `{"dialect":"spec"}`)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ""
    const headers = { authorization: `Bearer ${key}` }
    const nameless = await (await fetch(`${url}/v1/products/3000000848`, { headers })).json()
    assert.notInclude(Object.keys(nameless as object), "name")
    const statusAs = async (host: string) =>
      (await Effect.runPromise(rawRequest(url, ["GET /sandbox/clock HTTP/1.1", `Host: ${host}`]))).status
    const hosts = ["lake.example:80", "[fd00:0::1]:4600", "other.example"]
    assert.deepStrictEqual(await Promise.all(hosts.map(statusAs)), [200, 200, 403])
  } finally {
    started.process.kill()
    await started.ended
  }
})

it.runIf(isFull)("sandbox says how many live blocks contradict themselves", async () => {
  const depth = { low: 4, listingCount: 1, availableQuantity: 5 }
  // Two listings in a condition, of a total of one.
  const byCondition = { NM: { ...depth, listingCount: 2, byLanguage: {} } }
  const marketplace = {
    ...depth,
    low: { amount: 4, currency: "EUR" },
    regions: { eu: { currency: "EUR", ...depth, byCondition } }
  }
  const card = { id: 7, gameId: "fable", game: { id: "fable", name: "Fable" }, name: "Seven", nameSlug: "seven" }
  const printed = { languages: ["en"], productType: "card", finishes: ["Standard"], attributes: {} }
  const product = { ...card, ...printed, pricesByFinish: { Standard: { marketplace } } }
  await Effect.runPromise(
    Effect.gen(function* () {
      const folder = yield* catalogueFolder({ fable: [{ products: [product] }] })
      const started = startCardlake(["sandbox", "--empty", "--key", key, "--catalogue", folder])
      yield* Effect.promise(() => started.shows("Stop with Ctrl-C"))
      started.process.kill()
      const { stdout } = yield* Effect.promise(() => started.ended)
      assert.include(stdout, "\n1 of 1 live price blocks are inconsistent:\n  their regions' totals count\n")
    }).pipe(Effect.scoped)
  )
})

it.runIf(isFull)("sandbox --json prints url and key first, and a kept state's own accounts go on", async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, "accounts.json"),
    `{"accounts":[{"username":"ann","seller":{"type":"pro","currency":"EUR"}}]}`
  )
  const served = async (...flags: ReadonlyArray<string>) => {
    const started = startCardlake(["sandbox", "--json", ...flags], { cwd: folder })
    await started.shows("}\n")
    started.process.kill()
    return JSON.parse((await started.ended).stdout) as Record<string, { readonly username: string }>
  }
  try {
    const kept = ["--state", "market"]
    const named = await served("--accounts-file", "accounts.json", ...kept)
    assert.deepStrictEqual(Object.keys(named), ["url", "key", "seller"])
    assert.strictEqual(named["seller"]?.username, "ann")
    const [drawn, again, empty] = await Promise.all([served(), served(...kept), served("--empty")])
    assert.deepStrictEqual(Object.keys(drawn), ["url", "key", "seller", "buyer", "listingId"])
    assert.deepStrictEqual(
      [Object.keys(again), Object.keys(empty)],
      [
        ["url", "key"],
        ["url", "key"]
      ]
    )
  } finally {
    remove(folder)
  }
})

it.runIf(isFull)(
  "sandbox --record writes fixtures and ends, and a wrong accounts file is told with its place",
  async () => {
    const folder = temporaryFolder()
    try {
      const recorded = json(await cardlake(["sandbox", "--record", join(folder, "fixtures"), "--json"]))
      assert.deepInclude(recorded, { operations: 58, errors: 6, webhooks: 7 })
      assert.isTrue(existsSync(join(folder, "fixtures/operations/sales.sales.json")))
      writeFileSync(
        join(folder, "accounts.json"),
        `{"accounts":[{"username":"ann","seller":{"type":"shop","currency":"EUR"}}]}`
      )
      const { code, stderr } = await cardlake(["sandbox", "--accounts-file", join(folder, "accounts.json")])
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^cardlake: The accounts file \S+accounts\.json cannot be used at accounts\.0\.seller\.type: /
      )
    } finally {
      remove(folder)
    }
  }
)
