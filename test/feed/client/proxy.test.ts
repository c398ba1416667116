import { assert, describe } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"
import { noProxy, webClient } from "../../../src/feed/client/webClient.ts"
import { certificate } from "./certificate.ts"
import { proxyTo } from "./proxy.ts"
import { listening } from "./rawServer.ts"
import { quickPolicy, strangeKey } from "./StrangeServer.ts"
import { effect, live } from "../../support/suite.ts"

const games = Effect.flatMap(Marketplace, (marketplace) => marketplace.games)
const oneGame: RequestListener = (_, response) => void response.end('{"data":[{"id":"fable"}]}')

/** The games of `url` as JSON, requested under these variables; or the error's tag and message. */
const askedWith = (url: string, variables: Record<string, string>, key = strangeKey) =>
  games.pipe(
    Effect.map(({ data }) => JSON.stringify(data)),
    Effect.catch((error) => Effect.succeed(`${error._tag}: ${error.message}`)),
    Effect.provide([
      Layer.provide(
        Marketplace.layer,
        ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_URL: url, CARDLAKE_API_KEY: key, ...variables }))
      ),
      Layer.succeed(RetryPolicy, { ...quickPolicy, timeoutMillis: 3000, times: 0 })
    ])
  )

describe("a proxy of the environment", () => {
  live("gets plain requests, with its credentials", function* () {
    const port = yield* listening(createServer(oneGame))
    const proxy = yield* proxyTo(() => port)
    const address = `http://us%20er:pass@127.0.0.1:${proxy.port}`
    assert.strictEqual(yield* askedWith("http://marketplace.test", { HTTP_PROXY: address }), '[{"id":"fable"}]')
    const credentials = `Basic ${Buffer.from("us er:pass").toString("base64")}`
    assert.deepStrictEqual(proxy.asked, [{ line: "GET http://marketplace.test/v1/games", credentials }])
  })

  live("tunnels TLS, also when its variable is in lower case", function* () {
    // Other files of the process must not trust it.
    yield* Effect.acquireRelease(
      Effect.sync(() => getCACertificates("default")),
      (trusted) => Effect.sync(() => setDefaultCACertificates(trusted))
    ).pipe(Effect.tap((trusted) => Effect.sync(() => setDefaultCACertificates([...trusted, certificate.cert]))))
    const port = yield* listening(createTlsServer(certificate, oneGame))
    const proxy = yield* proxyTo(() => port)
    const variables = { https_proxy: `http://127.0.0.1:${proxy.port}`, HTTPS_PROXY: "http://127.0.0.1:1" }
    assert.strictEqual(yield* askedWith("https://marketplace.test", variables), '[{"id":"fable"}]')
    assert.deepStrictEqual(
      proxy.asked.map(({ line }) => line),
      ["CONNECT marketplace.test:443"]
    )
  })

  live("is taken without its http://", function* () {
    const port = yield* listening(createServer(oneGame))
    const proxy = yield* proxyTo(() => port)
    const variables = { HTTP_PROXY: `localhost:${proxy.port}` }
    assert.strictEqual(yield* askedWith("http://marketplace.test", variables), '[{"id":"fable"}]')
  })

  // 127.0.0.2 and its like are this machine's, too, and only NO_PROXY keeps them from the proxy.
  live("is bypassed for the ranges of NO_PROXY and used beside them", function* () {
    const proxy = yield* proxyTo(() => 1)
    for (const [noProxy, host, isAsked] of [
      ["127.0.0.2/31", "127.0.0.3", false],
      ["10.0.0.0/8, 127.0.0.0/30", "127.0.0.3", false],
      ["127.0.0.2/31", "127.0.0.4", true],
      ["::ffff:7f00:2/127", "[::ffff:127.0.0.3]", false],
      ["[0:0:0:0:0:FFFF:7f00:0003]", "[::ffff:127.0.0.3]", false],
      ["[::ffff:7f00:3]:1", "[::ffff:127.0.0.3]", false],
      ["[::ffff:7f00:3]:2", "[::ffff:127.0.0.3]", true],
      ["0.0.0.0/0", "marketplace.test", true]
    ] as const) {
      const variables = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: noProxy }
      proxy.asked.length = 0
      yield* askedWith(`http://${host}:1`, variables)
      assert.strictEqual(proxy.asked.length > 0, isAsked, `${host} with ${noProxy}`)
    }
  })

  effect("is not asked for with a NO_PROXY that would be ignored", function* () {
    const read = (list: string, proxy: string) =>
      Effect.map(Effect.result(noProxy), (result) => result._tag).pipe(
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ HTTP_PROXY: proxy, NO_PROXY: list })))
      )
    for (const list of [
      "10.*",
      "192.168.",
      "10.0.0.0/8:443",
      "http://a.test",
      "a*.test",
      '"a.test"',
      "fd00::g",
      "<local>"
    ])
      assert.deepStrictEqual([list, yield* read(list, "a.test:1"), yield* read(list, "")], [list, "Failure", "Success"])
    for (const list of [
      "*",
      "*:443",
      ".a.test",
      "*.a.test:80",
      "a_b.test.",
      "10.0.0.1:80",
      "[fd00::]/8",
      "fd00::1, [fd00::2]:443,"
    ])
      assert.deepStrictEqual([list, yield* read(list, "a.test:1")], [list, "Success"])
  })

  live("is bypassed for the hosts of NO_PROXY and for this machine", function* () {
    const port = yield* listening(createServer(oneGame))
    const proxy = yield* proxyTo(() => port)
    const variables = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: "other.test,.test" }
    assert.strictEqual(yield* askedWith(`http://127.0.0.1:${port}`, variables), '[{"id":"fable"}]')
    assert.match(yield* askedWith(`http://marketplace.test:${port}`, variables), /^Unreachable/)
    assert.deepStrictEqual(proxy.asked, [])
  })

  live("does not lift the bound on the size of an answer", function* () {
    const port = yield* listening(createServer((_, response) => void response.end(Buffer.alloc(20_000))))
    const proxy = yield* proxyTo(() => port)
    const variables = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` }
    for (const [maxBytes, read] of [
      [20_000, 20_000],
      [19_999, "Response content exceeded max size"]
    ] as const) {
      const length = yield* HttpClient.get("http://marketplace.test").pipe(
        Effect.flatMap((response) => Effect.map(response.arrayBuffer, ({ byteLength }) => byteLength)),
        Effect.catch(({ reason: { cause } }) => Effect.succeed(cause instanceof Error ? cause.message : "")),
        Effect.provide(webClient(maxBytes)),
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(variables)))
      )
      assert.strictEqual(length, read)
    }
    assert.strictEqual(proxy.asked.length, 2)
  })

  live("that is down, refuses or asks for a password ends in an error that does not show its password", function* () {
    const refusing = createServer((_, response) => void response.writeHead(407).end())
    refusing.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Who\r\n\r\n"))
    const port = yield* listening(refusing)
    for (const [scheme, to, says] of [
      ["http", 1, /^Unreachable: .*ECONNREFUSED/],
      ["https", 1, /^Unreachable: .*ECONNREFUSED/],
      ["http", port, /^Unreachable: .*407/],
      ["https", port, /^Unreachable: .*407/]
    ] as const) {
      const address = `http://user:pass-word@127.0.0.1:${to}`
      const message = yield* askedWith(`${scheme}://marketplace.test`, { HTTP_PROXY: address })
      assert.match(message, says)
      assert.notInclude(message, "pass-word")
      assert.notInclude(message, Buffer.from("user:pass-word").toString("base64"))
    }
  })
})
