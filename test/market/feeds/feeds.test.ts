import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { suite, values } from "../../support/sandbox.ts"
import { live } from "../../support/suite.ts"
import { faultySandbox } from "../FaultySandbox.ts"
import { ask, sampleFolder, Served } from "../Served.ts"

interface File {
  readonly url: string
  readonly urlExpiresAt: string
  readonly checksum: string
  readonly sizeBytes: number
  readonly recordCount: number
  readonly format: string
  readonly encoding: string
  readonly lastRefreshedAt: string
  readonly generatedAt: string
}
type Files = Readonly<Record<"catalog" | "expansions" | "prices", File>>
type Line = Readonly<Record<string, unknown>>

const filesOf = (gameId: string) => Effect.map(ask(`/v1/feeds/${gameId}`), ({ json }) => json as unknown as Files)

/** Asked as object storage is: without the key, unless the test gives one. */
const download = (url: string, headers: Record<string, string> = {}) =>
  Effect.promise(async () => {
    const answer = await fetch(url, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, type: answer.headers.get("content-type"), bytes }
  })

const linesOf = Effect.fnUntraced(function* ({ url }: File) {
  const { bytes } = yield* download(url)
  return gunzipSync(bytes)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line): Line => JSON.parse(line))
})

const control = (settings: object) => ask("/sandbox/feeds", { body: settings })
const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })
const deploy = (gameId: string) => ask("/sandbox/deploy", { body: { gameId } })

suite(Served.layer())("feed files", (it) => {
  it("refuse a key beside the signature, a forged link and one that has expired, in XML", function* () {
    const { catalog } = yield* filesOf("emberfall")
    const link = new URL(catalog.url)
    link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1000))
    const malformed = new URL(catalog.url)
    malformed.searchParams.set("signature", "é".repeat(64))
    const answers = [
      yield* download(catalog.url, { authorization: "Bearer test-key" }),
      yield* download(catalog.url.replace("/catalog.", "/prices.")),
      yield* download(link.href),
      yield* download(malformed.href)
    ]
    yield* wait(3540)
    answers.push(yield* download(catalog.url))
    yield* wait(60)
    answers.push(yield* download(catalog.url))
    assert.deepEqual(values(answers, "status"), [400, 403, 403, 403, 200, 403])
    assert.match(answers[5]?.bytes.toString() ?? "", /<Code>AccessDenied<\/Code>/)
    assert.strictEqual(answers[5]?.type, "application/xml")
    const fresh = (yield* filesOf("emberfall")).catalog
    assert.strictEqual((yield* download(fresh.url)).status, 200)
  })

  it("have links that expire when they say, and sooner if told to", function* () {
    yield* control({ linkSeconds: 60 })
    const { json } = yield* ask("/sandbox/clock")
    const { catalog } = yield* filesOf("emberfall")
    const left = Date.parse(catalog.urlExpiresAt) - Date.parse(json["now" as never])
    assert.isTrue(left >= 60_000 && left < 70_000)
    yield* wait(61)
    assert.strictEqual((yield* download(catalog.url)).status, 403)
    yield* control({ linkSeconds: 3600 })
  })

  it("stay behind a deployment as long as they are told to, and say so", function* () {
    yield* control({ lagSeconds: 600 })
    const before = yield* filesOf("emberfall")
    yield* deploy("emberfall")
    const [newest] = (yield* ask("/v1/feeds/emberfall/changelog")).json.data
    assert.strictEqual(newest?.deployedAt, "2026-03-08T04:00:09.000Z")
    yield* wait(590)
    const { checksum, lastRefreshedAt } = (yield* filesOf("emberfall")).catalog
    assert.deepEqual([checksum, lastRefreshedAt], [before.catalog.checksum, "2026-03-01T04:00:12.000Z"])
    yield* wait(11)
    const followed = yield* filesOf("emberfall")
    assert.notStrictEqual(followed.catalog.checksum, before.catalog.checksum)
    assert.strictEqual(followed.catalog.lastRefreshedAt, "2026-03-08T04:00:09.000Z")
    yield* control({ lagSeconds: 0 })
  })
})

suite(Served.layer({ catalogue: { story: sampleFolder } }))(
  "feed files of a deployment that moves only prices",
  (it) => {
    it("are refreshed, and only the prices are new", function* () {
      const before = yield* filesOf("emberfall")
      yield* deploy("emberfall")
      const after = yield* filesOf("emberfall")
      for (const type of ["catalog", "expansions"] as const) {
        assert.strictEqual(after[type].checksum, before[type].checksum)
        assert.strictEqual(after[type].generatedAt, before[type].generatedAt)
        assert.isAbove(Date.parse(after[type].lastRefreshedAt), Date.parse(before[type].lastRefreshedAt))
      }
      assert.notStrictEqual(after.prices.checksum, before.prices.checksum)
      assert.strictEqual(after.prices.generatedAt, after.prices.lastRefreshedAt)
    })
  }
)

suite(Served.layer({ dialect: "live", feedLag: 600 }))("feed files in the live dialect", (it) => {
  it("have its words in both files, and the same figures", function* () {
    const wordy = yield* filesOf("emberfall")
    const product = (yield* linesOf(wordy.catalog)).find(({ id }) => id === 10088)
    assert.hasAllKeys(product?.["externalIds"], ["cardmarket", "tcgplayer"])
    const lineOf = Effect.fnUntraced(function* (file: File) {
      const line = (yield* linesOf(file)).find(({ productId }) => productId === 10007)
      return line?.["pricesByFinish"] as Readonly<Record<string, Line>>
    })
    const live = yield* lineOf(wordy.prices)
    yield* ask("/sandbox/dialect", { body: { dialect: "spec" } })
    const spec = yield* lineOf((yield* filesOf("emberfall")).prices)
    yield* ask("/sandbox/dialect", { body: { dialect: "live" } })
    assert.deepEqual(live["Foil"]?.["tcgplayer"], spec["Foil"]?.["sourceUsd"])
    assert.deepEqual(live["Foil"]?.["cardnexus"], spec["Foil"]?.["marketplace"])
  })

  it("lag from the start if told to, and have lines of strange products if told to", function* () {
    const before = yield* filesOf("emberfall")
    yield* deploy("emberfall")
    yield* wait(590)
    assert.strictEqual((yield* filesOf("emberfall")).catalog.checksum, before.catalog.checksum)
    const { recordCount } = (yield* filesOf("emberfall")).prices
    yield* control({ orphans: 2 })
    const { prices } = yield* filesOf("emberfall")
    assert.strictEqual(prices.recordCount, recordCount + 2)
    assert.strictEqual((yield* linesOf(prices)).at(-1)?.["productId"], 9_007_199_254_740_001)
  })
})

live("a fault on request: what befalls feed files: their link, their head, what is said of them", function* () {
  const { ask, sandbox } = yield* faultySandbox({
    rules: [
      { kind: "feed-not-generated", endpoint: "feeds", at: [1] },
      { kind: "null-feed", endpoint: "feeds", at: [2] },
      { kind: "wrong-checksum", endpoint: "feeds", at: [3] },
      { kind: "wrong-count", endpoint: "feeds", at: [4], by: -2 },
      { kind: "dead-link", endpoint: "downloads", at: [1] },
      { kind: "truncated", endpoint: "downloads", at: [2] },
      { kind: "declared-gzip", endpoint: "downloads", at: [3] },
      { kind: "redeploy", endpoint: "downloads", at: [4] }
    ]
  })
  const files = Effect.map(
    ask("/v1/feeds/emberfall"),
    ({ json }) => json as unknown as Files & { readonly code?: string }
  )
  assert.strictEqual((yield* files).code, "FEED_NOT_GENERATED")
  assert.isNull((yield* files).prices)
  const wrong = yield* files
  const miscounted = yield* files
  const right = yield* files
  assert.strictEqual(wrong.catalog.checksum, "0".repeat(64))
  assert.strictEqual(miscounted.catalog.recordCount, right.catalog.recordCount - 2)
  const got = Effect.promise(async () => {
    const answer = await fetch(right.catalog.url)
    const bytes = await answer.arrayBuffer()
    return [answer.status, answer.headers.get("content-encoding"), bytes.byteLength] as const
  })
  const size = right.catalog.sizeBytes
  assert.deepEqual((yield* got).slice(0, 2), [403, null])
  assert.isBelow((yield* got)[2], size)
  assert.deepEqual((yield* got).slice(0, 2), [200, "gzip"])
  yield* got
  assert.notStrictEqual((yield* files).catalog.checksum, right.catalog.checksum)
  const { counts } = yield* sandbox.injected
  assert.strictEqual(Object.values(counts).length, 8)
})
