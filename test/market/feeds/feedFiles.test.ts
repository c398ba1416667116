import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { ask, search, Served } from "../Served.ts"
import { control, deploy, download, filesOf, linesOf, wait } from "./servedFiles.ts"

layer(Served.layer())("feed files", (it) => {
  it.effect("have the length and the checksum that their description says", () =>
    Effect.gen(function* () {
      const files = yield* filesOf("emberfall")
      for (const type of ["catalog", "expansions", "prices"] as const) {
        const { json } = yield* ask(`/v1/feeds/emberfall/${type}`)
        const file = files[type]
        assert.deepInclude(json as unknown as object, {
          feedType: type,
          checksum: file.checksum,
          format: "ndjson",
          encoding: "gzip"
        })
        const { bytes } = yield* download(file.url)
        const text = gunzipSync(bytes)
        assert.strictEqual(bytes.byteLength, file.sizeBytes)
        assert.strictEqual(createHash("sha256").update(text).digest("hex"), file.checksum)
        assert.strictEqual(text.toString().split("\n").length - 1, file.recordCount)
      }
    })
  )

  it.effect("have every product of the game, and prices as the product's operation returns them", () =>
    Effect.gen(function* () {
      const files = yield* filesOf("clockwork-orchard")
      const ids = new Set<unknown>()
      for (let offset = 0; offset < 600; offset += 200) {
        const page = yield* search({ gameFilters: { game: "clockwork-orchard" } }, `?limit=200&offset=${offset}`)
        for (const { id } of page.json.data) ids.add(id)
      }
      const catalog = yield* linesOf(files.catalog)
      assert.deepStrictEqual(new Set(catalog.map(({ id }) => id)), ids)
      const prices = yield* linesOf(files.prices)
      assert.isTrue(prices.every(({ productId }) => ids.has(productId)))
      assert.isBelow(prices.length, catalog.length)
      const { json } = yield* ask(`/v1/products/${String(prices[7]?.["productId"])}/prices`)
      assert.deepStrictEqual(json as unknown, prices[7] as unknown)
    })
  )

  it.effect("say null where the operations leave a key out, and put a sealed product under Standard", () =>
    Effect.gen(function* () {
      const files = yield* filesOf("emberfall")
      const bundle = (yield* linesOf(files.catalog)).find(({ id }) => id === 10088)
      assert.deepStrictEqual(bundle as unknown, {
        id: 10088,
        productType: "sealed",
        name: "Silent Oath bundle",
        nameSlug: "silent-oath-bundle-glasswood-marchen-28",
        slug: "silent-oath-bundle-glasswood-marchen-28",
        expansionId: 303,
        expansionSlug: "glasswood-marchen-glm",
        printNumber: null,
        variant: null,
        rarity: null,
        finishes: ["Standard"],
        languages: ["en", "de", "fr", "ja"],
        imageUrl: "https://images.example/emberfall/27.png",
        imageBackUrl: null,
        productCategory: "bundle",
        externalIds: {
          sourceEur: [{ finish: "Standard", id: 200108 }],
          sourceUsd: [{ finish: "Standard", id: 600108 }]
        },
        translations: null,
        attributes: {}
      })
      const priced = (yield* linesOf(files.prices)).find(({ productId }) => productId === 10088)
      assert.deepStrictEqual(Object.keys(priced?.["pricesByFinish"] ?? {}), ["Standard"])
      const [expansion] = yield* linesOf(files.expansions)
      assert.hasAllKeys(expansion, [
        "id",
        "name",
        "slug",
        "code",
        "releaseDate",
        "cardCount",
        "sealedProductCount",
        "attributes"
      ])
    })
  )

  it.effect("refuse a key beside the signature, a forged link and one that has expired, in XML", () =>
    Effect.gen(function* () {
      const { catalog } = yield* filesOf("emberfall")
      const link = new URL(catalog.url)
      link.searchParams.set("expires", String(Number(link.searchParams.get("expires")) + 1000))
      const odd = new URL(catalog.url)
      odd.searchParams.set("signature", "é".repeat(64))
      const answers = [
        yield* download(catalog.url, { authorization: "Bearer test-key" }),
        yield* download(catalog.url.replace("/catalog.", "/prices.")),
        yield* download(link.href),
        yield* download(odd.href)
      ]
      yield* wait(3599)
      answers.push(yield* download(catalog.url))
      yield* wait(2)
      answers.push(yield* download(catalog.url))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [400, 403, 403, 403, 200, 403]
      )
      assert.match(answers[5]?.bytes.toString() ?? "", /<Code>AccessDenied<\/Code>/)
      assert.strictEqual(answers[5]?.type, "application/xml")
      const fresh = (yield* filesOf("emberfall")).catalog
      assert.strictEqual((yield* download(fresh.url)).status, 200)
    })
  )

  it.effect("have links that expire when they say, and sooner if told to", () =>
    Effect.gen(function* () {
      yield* control({ linkSeconds: 60 })
      const { json } = yield* ask("/sandbox/clock")
      const { catalog } = yield* filesOf("emberfall")
      const left = Date.parse(catalog.urlExpiresAt) - Date.parse(json["now" as never])
      assert.isTrue(left >= 60_000 && left < 70_000)
      yield* wait(61)
      assert.strictEqual((yield* download(catalog.url)).status, 403)
      yield* control({ linkSeconds: 3600 })
    })
  )

  it.effect("count against no rate bucket", () =>
    Effect.gen(function* () {
      const { catalog } = yield* filesOf("emberfall")
      const left = () => Effect.map(ask("/v1/games"), ({ headers }) => Number(headers.get("x-ratelimit-remaining")))
      yield* wait(60)
      const before = yield* left()
      yield* Effect.repeat(download(catalog.url), { times: 4 })
      assert.isAtLeast(yield* left(), before - 1)
    })
  )

  it.effect("that were never built are null, and each one asked for alone is a 500 with FEED_NOT_GENERATED", () =>
    Effect.gen(function* () {
      yield* control({ missing: ["tidewrack"] })
      assert.deepStrictEqual((yield* filesOf("tidewrack")) as unknown, {
        catalog: null,
        expansions: null,
        prices: null
      })
      const { json, status } = yield* ask("/v1/feeds/tidewrack/prices")
      assert.deepStrictEqual([status, json.code, { ...json.data }], [
        500,
        "FEED_NOT_GENERATED",
        { gameId: "tidewrack" }
      ] as never)
      yield* control({ missing: [] })
      assert.strictEqual((yield* ask("/v1/feeds/tidewrack/prices")).status, 200)
    })
  )

  it.effect("of an unknown game are a 404", () =>
    Effect.gen(function* () {
      for (const path of ["", "/catalog", "/expansions", "/prices"]) {
        const { json, status } = yield* ask(`/v1/feeds/none${path}`)
        assert.deepStrictEqual([status, json.code], [404, "GAME_NOT_FOUND"])
      }
    })
  )

  it.effect("stay behind a deployment as long as they are told to, and say so", () =>
    Effect.gen(function* () {
      yield* control({ lagSeconds: 600 })
      const before = yield* filesOf("emberfall")
      yield* deploy("emberfall")
      assert.strictEqual(
        (yield* ask("/v1/feeds/emberfall/changelog")).json.data[0]?.deployedAt,
        "2026-03-08T04:00:09.000Z"
      )
      yield* wait(590)
      const behind = yield* filesOf("emberfall")
      assert.deepStrictEqual(
        [behind.catalog.checksum, behind.catalog.lastRefreshedAt],
        [before.catalog.checksum, "2026-03-01T04:00:12.000Z"]
      )
      yield* wait(11)
      const followed = yield* filesOf("emberfall")
      assert.notStrictEqual(followed.catalog.checksum, before.catalog.checksum)
      assert.strictEqual(followed.catalog.lastRefreshedAt, "2026-03-08T04:00:09.000Z")
      yield* control({ lagSeconds: 0 })
    })
  )
})

layer(Served.layer({ catalogue: { story: new URL("../../../data/sample", import.meta.url).pathname } }))(
  "feed files of a deployment that moves only prices",
  (it) => {
    it.effect("are refreshed, and only the prices are new", () =>
      Effect.gen(function* () {
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
    )
  }
)
