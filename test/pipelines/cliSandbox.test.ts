import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawRequest } from "../guard/rawRequest.ts"
import { key, start, startCardlake } from "./cli.ts"

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
    const commandOf = (name: string) => new RegExp(`^${name}: +(curl .*)$`, "m").exec(printed)?.[1] ?? ""
    const answered = async (command: string) => (await start("sh", ["-c", `${command} -sf`]).ended).stdout
    assert.include(await answered(commandOf("Read")), `"id":"emberfall"`)
    assert.include(await answered(commandOf("Dialect")), `{"dialect":"spec"}`)
    assert.include(await answered(commandOf("Deploy")), `{"gameId":"emberfall","deploymentId":`)
    const nameless = await answered(commandOf("Read").replace("/v1/games", "/v1/products/3000000848"))
    assert.notInclude(Object.keys(JSON.parse(nameless) as object), "name")
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ""
    const statusAs = async (host: string) =>
      (await Effect.runPromise(rawRequest(url, ["GET /sandbox/clock HTTP/1.1", `Host: ${host}`]))).status
    const hosts = ["lake.example:80", "[fd00:0::1]:4600", "other.example"]
    assert.deepStrictEqual(await Promise.all(hosts.map(statusAs)), [200, 200, 403])
  } finally {
    started.process.kill()
    await started.ended
  }
})
