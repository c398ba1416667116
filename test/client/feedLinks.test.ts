import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Stream } from "effect"
import { FeedStorage } from "../../src/client/FeedStorage.ts"
import { startAnswering } from "../pipelines/proxy.ts"

const storage = FeedStorage.layer.pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CARDLAKE_URL: "http://127.0.0.1:1" })))
)

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

it.live("redirects are followed a few times, and only to where a link may lead", () =>
  Effect.gen(function* () {
    const file = yield* answering(200, "lines")
    const near = yield* answering(302, "", { location: `${file.url}/b?signature=s2` })
    assert.strictEqual(yield* followed(`${near.url}/a?signature=s1`), "lines")

    const far = yield* answering(302, "", { location: "http://169.254.169.254/latest?signature=s2" })
    const refused = yield* Effect.flip(followed(`${far.url}/a?signature=s1`))
    assert.deepStrictEqual([refused.kind, refused.host], ["refused", "169.254.169.254"])
    assert.notInclude(refused.message, "signature")

    const round = yield* answering(302, "", { location: "/a?signature=s3" })
    assert.match((yield* Effect.flip(followed(`${round.url}/a`))).message, /redirects again and again/)
    const expired = yield* answering(403, "<Error/>")
    assert.strictEqual((yield* Effect.flip(followed(`${expired.url}/a?signature=s1`))).kind, "expired")
    assert.strictEqual((yield* Effect.flip(followed("no address"))).kind, "refused")
    assert.strictEqual((yield* Effect.flip(followed("http://127.0.0.1:1/a?signature=s1"))).kind, "lost")
  }).pipe(Effect.scoped, Effect.provide(storage))
)
