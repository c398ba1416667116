import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { FeedStorage, type HostAddresses, linkNames } from "../../../src/feed/client/FeedStorage.ts"
import { startAnswering } from "../../pipelines/proxy.ts"
import { live, testIn } from "../../support/suite.ts"

const storageBy = (addressesOf?: HostAddresses, settings: object = { CARDLAKE_URL: "http://127.0.0.1:1" }) =>
  FeedStorage.layerBy(addressesOf).pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings))))
const storage = storageBy()

const answering = (status: number, body: string, more: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => startAnswering(status, "text/plain", body, more)),
    ({ stop }) => Effect.sync(stop)
  )

const followed = Effect.fnUntraced(function* (link: string) {
  const { bytes } = yield* FeedStorage
  return yield* Stream.runFold(
    bytes(link),
    () => "",
    (text, piece: Uint8Array) => text + Buffer.from(piece).toString()
  )
})

testIn(storage)("redirects are followed a few times, and only to where a link may lead", function* () {
  const file = yield* answering(200, "lines")
  const near = yield* answering(302, "", { location: `${file.url}/b?signature=s2` })
  assert.strictEqual(yield* followed(`${near.url}/a?signature=s1`), "lines")

  const far = yield* answering(302, "", { location: "http://169.254.169.254/latest?signature=s2" })
  const refused = yield* Effect.flip(followed(`${far.url}/a?signature=s1`))
  assert.deepStrictEqual([refused.kind, refused.host], ["refused", "169.254.169.254"])
  assert.notInclude(refused.message, "signature")

  const round = yield* answering(302, "", { location: "/a?signature=s3" })
  assert.match((yield* Effect.flip(followed(`${round.url}/a`))).message, /redirects too often/)
  const expired = yield* answering(403, "<Error/>")
  assert.strictEqual((yield* Effect.flip(followed(`${expired.url}/a?signature=s1`))).kind, "expired")
  assert.strictEqual((yield* Effect.flip(followed("no address"))).kind, "refused")
  assert.strictEqual((yield* Effect.flip(followed("http://127.0.0.1:1/a?signature=s1"))).kind, "lost")
})

/** Names as their owners may answer for them, a list of addresses for each question. */
const named = (names: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>): HostAddresses => {
  const lookups = new Map<string, number>()
  return async (name) => {
    const times = lookups.get(name) ?? 0
    lookups.set(name, times + 1)
    const answers = names[name] ?? []
    const found = answers[Math.min(times, answers.length - 1)] ?? []
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  }
}

live("a name that stands for this machine or a private network is not followed, whoever gave it", function* () {
  const inside = {
    "loop.example.com": [["127.0.0.1"]],
    "ten.example.com": [["10.1.2.3"]],
    "one-of-two.example.com": [["8.8.8.8", "192.168.0.7"]],
    "six.example.com": [["::1"]],
    "mapped.example.com": [["::ffff:169.254.169.254"]]
  }
  for (const name of Object.keys(inside)) {
    const near = yield* answering(302, "", { location: `https://${name}/b?signature=s2` })
    const [direct, redirected] = yield* Effect.gen(function* () {
      return [
        yield* Effect.flip(followed(`https://${name}/a?signature=s1`)),
        yield* Effect.flip(followed(`${near.url}/a?signature=s1`))
      ]
    }).pipe(Effect.provide(storageBy(named(inside))))
    for (const refused of [direct, redirected]) {
      assert.deepStrictEqual([refused?.kind, refused?.host], ["refused", name])
      assert.match(refused?.message ?? "", /its name resolves to a local, private or otherwise not public address/)
      assert.notInclude(refused?.message, "signature")
    }
  }
  // The marketplace's own name may: a sandbox in another container. So it is past a proxy that it needs not.
  const file = yield* answering(200, "lines")
  const sandboxUrl = new URL(file.url)
  sandboxUrl.hostname = "sandbox.example.com"
  for (const proxy of [{}, { HTTP_PROXY: "http://127.0.0.1:1", NO_PROXY: sandboxUrl.hostname }]) {
    const addressesOf = named({ "sandbox.example.com": [["127.0.0.1"]] })
    const text = followed(`${sandboxUrl.href}files/a`).pipe(
      Effect.provide(storageBy(addressesOf, { CARDLAKE_URL: sandboxUrl.href, ...proxy }))
    )
    assert.strictEqual(yield* text, "lines")
  }
})

it("a name is connected to at the addresses that were checked, whatever it stands for by then", async () => {
  const answers = [["8.8.8.8", "2606:4700::1111"], ["127.0.0.1"]]
  let lookups = 0
  const { isPublic, lookup } = linkNames(async () => {
    const found = answers[Math.min(lookups++, 1)] ?? []
    return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  }, new Set())
  const connected = (host: string) =>
    new Promise((resolve) => {
      lookup(host, { all: true }, (cause, found) => resolve(cause?.code ?? found))
    })
  const all = [
    { address: "8.8.8.8", family: 4 },
    { address: "2606:4700::1111", family: 6 }
  ]
  assert.isTrue(await isPublic("files.example"))
  assert.deepStrictEqual([await connected("files.example"), await connected("files.example.")], [all, all])
  assert.strictEqual(lookups, 1)
  assert.isFalse(await isPublic("files.example"))
  assert.strictEqual(await connected("files.example"), "ENOTFOUND")
  assert.strictEqual(await connected("never-looked-at.example"), "ENOTFOUND")
})
