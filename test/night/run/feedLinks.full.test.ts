import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { startProxy } from "../../pipelines/proxy.ts"
import { day, homeBy, servedDays } from "./bothVias.ts"
import { live } from "../../support/suite.ts"

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
  const { home, night } = yield* homeBy({ key: sandbox.key, url: proxy.url }, "feeds")
  const report = yield* night()
  assert.strictEqual(report.verdict, "published")
  assert.strictEqual(headers.length, 3)
  for (const sent of headers) assert.notMatch(sent, new RegExp(`authorization|traceparent|${sandbox.key}`, "i"))
  assert.strictEqual(spawnSync("grep", ["-rl", "signature=", home], { encoding: "utf8" }).stdout, "")
})
