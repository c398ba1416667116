import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rawRequest } from "./rawRequest.ts"

/** The name that the servers of these tests are started with, as a person may write it. */
export const allowedHost = "Lake.Example."

const answered = (port: string) => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
  // A port that is forwarded to this one.
  "127.0.0.1:1",
  "localhost",
  `LocalHost:${port}`,
  `localhost.:${port}`,
  "lake.example",
  `LAKE.example:${port}`,
  "lake.example."
]

const refused = (port: string) => [
  // Names that a hostile site may point at 127.0.0.1.
  "evil.example",
  `evil.example:${port}`,
  `127.0.0.1:${port}.evil.example`,
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "localhost..",
  "evil-localhost",
  "my.lake.example",
  `evil.example@127.0.0.1:${port}`,
  `127.0.0.1:${port}@evil.example`,
  `evil.example#.localhost`,
  "evil.example/localhost",
  "localhost, evil.example",
  "0.0.0.0",
  "[::]",
  "[::ffff:1.2.3.4]",
  "[::1",
  "localhost:",
  "localhost:x",
  ""
]

const get = (path: string) => `GET ${path} HTTP/1.1`

/** Asserts which hosts a server answers for, on a path that is 200 under its own name; `more` is sent along. */
export const assertHosts = Effect.fnUntraced(function* (url: string, path: string, more: ReadonlyArray<string> = []) {
  const { port } = new URL(url)
  const statusOf = (...head: ReadonlyArray<string>) =>
    Effect.map(rawRequest(url, [...head, ...more]), (it) => it.status)
  for (const host of answered(port)) {
    assert.strictEqual(yield* statusOf(get(path), `Host: ${host}`), 200, `${path} of ${host}`)
  }
  for (const host of refused(port)) {
    assert.strictEqual(yield* statusOf(get(path), `Host: ${host}`), 403, `${path} of ${host}`)
  }
  const own = `Host: 127.0.0.1:${port}`
  assert.strictEqual(yield* statusOf(`GET ${path} HTTP/1.0`, own), 200)
  assert.strictEqual(yield* statusOf(`GET ${path} HTTP/1.0`), 403)
  // Node itself refuses HTTP/1.1 without a host.
  assert.strictEqual(yield* statusOf(get(path)), 400)
  for (const hosts of [
    [own, "Host: evil.example"],
    ["Host: evil.example", own],
    [own, own]
  ]) {
    assert.strictEqual(yield* statusOf(get(path), ...hosts), 403, hosts.join(", "))
  }
  // A proxy's form of the address names a host, too.
  assert.strictEqual(yield* statusOf(get(`http://127.0.0.1:${port}${path}`), own), 200)
  assert.strictEqual(yield* statusOf(get(`HTTP://LOCALHOST.:${port}${path}`), own), 200)
  for (const place of [
    "http://evil.example",
    `http://127.0.0.1:${port}@evil.example`,
    "//evil.example/http://localhost"
  ])
    assert.notStrictEqual(yield* statusOf(get(`${place}${path}`), own), 200, place)
  assert.strictEqual(yield* statusOf(get(`http://evil.example${path}`), own), 403)
  assert.strictEqual(yield* statusOf(get(`http://127.0.0.1:${port}${path}`), "Host: evil.example"), 403)
})
