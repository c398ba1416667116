import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { faultySandbox } from "../FaultySandbox.ts"
import { ask, Served } from "../Served.ts"
import { control, deploy, type File, type Files, filesOf, type Line, linesOf, wait } from "./servedFiles.ts"

type Said = Files & { readonly code?: string }

layer(Served.layer({ dialect: "live", feedLag: 600 }))("feed files in the live dialect", (it) => {
  it.effect("have its words in both files, and the same figures", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual(live["Foil"]?.["tcgplayer"], spec["Foil"]?.["sourceUsd"])
      assert.deepStrictEqual(live["Foil"]?.["cardnexus"], spec["Foil"]?.["marketplace"])
    })
  )

  it.effect("lag from the start if told to, and have lines of strange products if told to", () =>
    Effect.gen(function* () {
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
  )
})

describe("a fault on request", () => {
  it.live("what befalls feed files: their link, their head, what is said of them", () =>
    Effect.gen(function* () {
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
      const files = Effect.map(ask("/v1/feeds/emberfall"), ({ json }) => json as unknown as Said)
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
      assert.deepStrictEqual((yield* got).slice(0, 2), [403, null])
      assert.isBelow((yield* got)[2], size)
      assert.deepStrictEqual((yield* got).slice(0, 2), [200, "gzip"])
      yield* got
      assert.notStrictEqual((yield* files).catalog.checksum, right.catalog.checksum)
      const { counts } = yield* sandbox.injected
      assert.strictEqual(Object.values(counts).length, 8)
    })
  )
})
