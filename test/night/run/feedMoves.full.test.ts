import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import type { FaultRule } from "../../../src/market/faults/FaultPlan.ts"
import { startProxy } from "../../pipelines/proxy.ts"
import { homeBy as homeOf, sumsOfTables, day, servedDays } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

const days = [day(10), day(11), day(11, "Lantern Ray"), day(12, "Lantern Cod")]

/** The sums of every table, as a reading of each state page by page has them. */
const statesOf = Effect.gen(function* () {
  const states: Array<string> = []
  for (const [nth] of days.entries()) {
    const { homeBy, deploy } = yield* servedDays(days)
    for (let step = 0; step < nth; step++) yield* deploy
    const { night, rows } = yield* homeBy("pages")
    yield* night()
    states.push(JSON.stringify(yield* Effect.forEach(compared, ({ sums }) => rows(sums))))
  }
  return states
})

/** The list of games is read before all else, and the changelog grows. */
const compared = sumsOfTables.filter(({ table }) => !["games", "deployments", "deployment_changes"].includes(table))

live("a deployment, new prices or both between any two requests: one state, or nothing", function* () {
  const states = yield* statesOf
  const seen = new Set<number>()
  const moves = (["changelog", "feeds", "downloads"] as const).flatMap((endpoint) =>
    [1, 2, 3].map((at): FaultRule => ({
      kind: "redeploy",
      endpoint,
      at: [at],
      when: at % 2 === 1 ? "before" : "after",
      steps: at
    }))
  )
  for (const rule of moves) {
    const { homeBy, sandbox } = yield* servedDays(days, { faults: { rules: [rule] } })
    const { home, night, rows } = yield* homeBy("feeds")
    const report = yield* night()
    if (report.verdict !== "published") {
      assert.isFalse(existsSync(join(home, "lake.duckdb")))
      continue
    }
    const state = states.indexOf(JSON.stringify(yield* Effect.forEach(compared, ({ sums }) => rows(sums))))
    assert.isAtLeast(state, 0, JSON.stringify(rule))
    seen.add(state)
    assert.isTrue((yield* sandbox.injected).list.length <= 1)
  }
  assert.isAbove(seen.size, 2)
})

live("the key is in no request to the host of the links, and nothing of a link in the home", function* () {
  const { sandbox } = yield* servedDays([day(10)])
  const headers: Array<string> = []
  const storage = createServer((request, response) => {
    headers.push(JSON.stringify(request.rawHeaders))
    void fetch(sandbox.origin + request.url)
      .then((answer) => answer.arrayBuffer())
      .then((bytes) => response.end(Buffer.from(bytes)))
  })
  storage.listen(0, "127.0.0.1")
  yield* Effect.promise(() => once(storage, "listening"))
  const origin = `http://127.0.0.1:${(storage.address() as AddressInfo).port}`
  const proxy = yield* Effect.promise(() =>
    startProxy(sandbox.url, ({ answer }) => answer.replaceAll(/http:[^"]*(?=\/files\/feeds)/g, origin))
  )
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      proxy.stop()
      storage.closeAllConnections()
      storage.close()
    })
  )
  const { home, night } = yield* homeOf({ key: sandbox.key, url: proxy.url }, "feeds")
  const report = yield* night()
  assert.strictEqual(report.verdict, "published")
  assert.strictEqual(headers.length, 3)
  for (const sent of headers) assert.notMatch(sent, new RegExp(`authorization|traceparent|${sandbox.key}`, "i"))
  assert.strictEqual(spawnSync("grep", ["-rl", "signature=", home], { encoding: "utf8" }).stdout, "")
})
