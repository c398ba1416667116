import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { Socket } from "node:net"
import { offsetPage } from "../../../src/feed/client/offsetPages.ts"
import { againstRaw, type Answer } from "./rawServer.ts"
import { live } from "../../support/suite.ts"

const products = offsetPage("products", "fable", 0)
const ended = Effect.gen(function* () {
  const start = performance.now()
  const error = yield* Effect.flip(products)
  return { error, seconds: (performance.now() - start) / 1000 }
})
const ok = "HTTP/1.1 200 OK\r\n"
const say =
  (text: string): Answer =>
  (socket) =>
    void socket.end(text)

/** Writes the chunk for as long as somebody reads; counts the bytes in `sent`. */
const flood = (head: string, chunk: Buffer, sent = { bytes: 0, closed: false }) => {
  const answer = (socket: Socket) => {
    socket.write(head)
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) sent.bytes += chunk.length
    }
    socket.on("drain", more).on("close", () => (sent.closed = true))
    more()
  }
  return { answer, sent }
}

describe("a body without end", () => {
  for (const [what, head, chunk] of [
    ["of no stated length", ok, Buffer.alloc(65_536, "x")],
    ["of ever more chunks", `${ok}transfer-encoding: chunked\r\n`, Buffer.from(`ffff\r\n${"x".repeat(0xffff)}\r\n`)],
    ["of a stated length", `${ok}content-length: 99999999999\r\n`, Buffer.alloc(65_536, "x")]
  ] as const) {
    const { answer, sent } = flood(`${head}\r\n`, chunk)
    live(`${what} is cut at 32 MB`, () =>
      Effect.gen(function* () {
        const before = process.memoryUsage().rss
        const { error } = yield* ended
        assert.strictEqual(error._tag, "PageBroken")
        assert.match(error.message, /a body of more than 32 MB/)
        assert.isBelow(sent.bytes, 50e6)
        assert.isBelow(process.memoryUsage().rss - before, 400e6)
      }).pipe(againstRaw(answer, { policy: { times: 0, timeoutMillis: 30_000 } }))
    )
  }

  live("that drips is cut off by the time-out, and its connection is closed", () => {
    const closed: Array<boolean> = []
    return Effect.gen(function* () {
      const { error, seconds } = yield* ended
      assert.strictEqual(error._tag, "Unreachable")
      assert.match(error.message, /no whole answer within 0.2 s/)
      // Waiting for every drip would take twenty seconds an attempt.
      assert.isBelow(seconds, 15)
      yield* Effect.sleep(100)
      assert.deepStrictEqual(closed, [true, true])
    }).pipe(
      againstRaw(
        (socket) => {
          socket.write(`${ok}content-length: 1000\r\n\r\n`)
          const drip = setInterval(() => socket.write("x"), 20)
          socket.on("close", () => {
            clearInterval(drip)
            closed.push(true)
          })
        },
        { policy: { times: 1 } }
      )
    )
  })
})

describe("an answer that is not HTTP", () => {
  const header = (name: string, size: number) => `${name}: ${"a".repeat(size)}\r\n`
  const cases: ReadonlyArray<readonly [what: string, answer: Answer, tag: string, says: RegExp, forEver?: true]> = [
    ["100 KB of headers", say(`${ok}${header("x-a", 100_000)}\r\n{}`), "Unreachable", /Headers Overflow/],
    [
      "10,000 headers",
      say(`${ok}${Array.from({ length: 10_000 }, (_, n) => header(`x-${n}`, 3)).join("")}\r\n{}`),
      "Unreachable",
      /Headers Overflow/
    ],
    ["headers without end", flood(ok, Buffer.from(header("x-a", 8000))).answer, "Unreachable", /Headers Overflow/],
    ["no headers", say(`${ok}\r\n`), "PageBroken", /an empty body/],
    ["the status 999", say("HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n"), "ServiceFailed", /999 HTTP_999/],
    [
      "103 for ever",
      flood("", Buffer.from("HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n".repeat(500))).answer,
      "Unreachable",
      /no whole answer/,
      true
    ],
    ["100 for ever", flood("", Buffer.from("HTTP/1.1 100 Continue\r\n\r\n".repeat(500))).answer, "Unreachable", /./],
    [
      "a switch of protocols",
      say("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
      "Unreachable",
      /./
    ],
    ["other bytes", say("\0\0\0\x18ftypmp42"), "Unreachable", /./],
    ["a status line without end", flood("HTTP/1.1 200 ", Buffer.alloc(65_536, "x")).answer, "Unreachable", /./, true],
    ["a closed connection", (socket) => void socket.destroy(), "Unreachable", /./],
    [
      "headers of a prototype",
      say(`${ok}__proto__: x\r\nconstructor: y\r\ncontent-length: 2\r\n\r\n{}`),
      "NotMarketplace",
      /not a page of an offset list/
    ],
    ["a request id of 15 KB", say(`HTTP/1.1 404 No\r\n${header("x-request-id", 15_000)}\r\n`), "NotMarketplace", /404/]
  ]
  for (const [what, answer, tag, says, forEver] of cases) {
    live(`${what} ends as an error, in bounded time`, () =>
      Effect.gen(function* () {
        const { error, seconds } = yield* ended
        assert.strictEqual(error._tag, tag, error.message)
        assert.match(error.message, says)
        assert.isBelow(error.message.length, 1200)
        assert.isBelow(seconds, 60)
      }).pipe(againstRaw(answer, { policy: { times: 0, timeoutMillis: forEver ? 300 : 4000 } }))
    )
  }

  live("an answer that comes before the request is an error within the minute", () =>
    Effect.gen(function* () {
      const { error, seconds } = yield* ended
      assert.oneOf(error._tag, ["Unreachable", "NotMarketplace", "PageBroken"])
      assert.isBelow(seconds, 60)
    }).pipe(
      againstRaw(say(`${ok}content-length: 2\r\n\r\n{}`), { unasked: true, policy: { times: 1, timeoutMillis: 500 } })
    )
  )
})

describe.concurrent("a wrong scheme is reported at once", () => {
  const patient = { timeoutMillis: 60_000, baseMillis: 500, maxBackoffMillis: 8000 }
  for (const [what, options, says] of [
    ["https:// to a plain port", { scheme: "https" }, /speaks plain HTTP at this port; use http:\/\//],
    ["http:// to a TLS port", { tls: true }, /speaks TLS at this port; use https:\/\//]
  ] as const) {
    live(what, () =>
      Effect.gen(function* () {
        const { error, seconds } = yield* ended
        assert.strictEqual(error._tag, "NotMarketplace")
        assert.match(error.message, says)
        assert.isBelow(seconds, 2)
      }).pipe(againstRaw(say("HTTP/1.1 400 Bad Request\r\n\r\n"), { ...options, policy: patient }))
    )
  }
  live("and no connection stays open", () => {
    const open = new Set<Socket>()
    return Effect.gen(function* () {
      const { error } = yield* ended
      assert.match(error.message, /speaks TLS at this port/)
      yield* Effect.sleep(100)
      assert.strictEqual(open.size, 0)
    }).pipe(
      againstRaw(() => {}, {
        tls: true,
        policy: patient,
        onConnection: (socket) => void open.add(socket.on("close", () => open.delete(socket)))
      })
    )
  })
})
