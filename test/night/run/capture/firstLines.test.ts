import { assert } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"
import { FeedStorage } from "../../../../src/feed/client/FeedStorage.ts"
import { firstLines } from "../../../../src/night/run/capture/captureService.ts"
import { live } from "../../../support/suite.ts"

/** A feed file that never ends. */
const endless = async () => {
  let lines = 0
  let headers: IncomingHttpHeaders = {}
  const server = createServer((request, response) => {
    headers = request.headers
    const source = new Readable({
      read() {
        this.push(`{"id":${++lines},"name":"Lantern of ${Math.random()}"}\n`)
      }
    })
    source.pipe(createGzip()).pipe(response)
    response.on("close", () => source.destroy())
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, stop, lines: () => lines, headers: () => headers }
}

live("takes fifty lines of a file and leaves the rest, without a key", function* () {
  const feed = yield* Effect.acquireRelease(Effect.promise(endless), ({ stop }) => Effect.sync(stop))
  const config = ConfigProvider.layer(
    ConfigProvider.fromUnknown({ CARDLAKE_URL: feed.url, CARDLAKE_API_KEY: "cl_test_of_lines" })
  )
  const storage = yield* Layer.build(FeedStorage.layer.pipe(Layer.provide(config)))
  const text = yield* Effect.provideContext(firstLines(`${feed.url}/catalog.ndjson.gz?signature=abc`), storage)
  const lines = text.trimEnd().split("\n")
  assert.strictEqual(lines.length, 50)
  assert.match(lines[0] ?? "", /^\{"id":1,"name":"Lantern of [\d.e-]+"\}$/)
  assert.match(lines[49] ?? "", /^\{"id":50,"name":"Lantern of [\d.e-]+"\}$/)
  assert.isUndefined(feed.headers()["authorization"])
  const sent = feed.lines()
  yield* Effect.sleep("200 millis")
  assert.strictEqual(feed.lines(), sent)
})
