import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { rawRequest } from "../feed/guard/rawRequest.ts"
import { key, remove, start, startCardlake, temporaryFolder } from "./cli.ts"
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
