import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gunzipSync } from "node:zlib"
import { ask, search, Served } from "../Served.ts"
import { suite } from "../../support/sandbox.ts"

interface Block {
  readonly low?: number
  readonly mid?: number
  readonly high?: number
  readonly marketValue?: number
  readonly change24h?: number
}
type Blocks = Readonly<Record<string, Readonly<Record<string, Block>>>>
interface Product {
  readonly id: number
  readonly pricesByFinish?: Blocks
  readonly prices?: Blocks[string]
}

/** A card of one finish, with what the first two deployments have as its American price; a seed moves it. */
const card = 10_013
const deployedPrice = { low: 17.91, mid: 24.63, marketValue: 22.39 }

const figures = ["low", "mid", "high", "marketValue"] as const
const sources = ["sourceEur", "sourceUsd"] as const

const emberfall = Effect.map(
  search({ gameFilters: { game: "emberfall" } }, "?limit=200"),
  ({ json }) => json.data as unknown as ReadonlyArray<Product>
)
const reprice = (body: object) => ask("/sandbox/reprice", { body })
const day = Effect.map(ask("/sandbox/clock"), ({ json }) => (json as unknown as { now: string }).now.slice(0, 10))
const wait = (seconds: number) => ask("/sandbox/clock", { body: { seconds } })

/** The blocks of a card by finish; a sealed product has one. */
const blocksOf = ({ prices, pricesByFinish = {} }: Omit<Product, "id"> = {}): Blocks =>
  prices === undefined ? pricesByFinish : { ...pricesByFinish, sealed: prices }

/** Every source's block of a product, before and after. */
const pairs = (before: ReadonlyArray<Product>, after: ReadonlyArray<Product>) =>
  before.flatMap((product, at) =>
    Object.entries(blocksOf(product)).flatMap(([finish, blocks]) =>
      sources.flatMap((source) => {
        const old = blocks[source]
        return old === undefined ? [] : [{ old, new: blocksOf(after[at])[finish]?.[source] }]
      })
    )
  )

/** A product without what its sources say. */
const others = (products: ReadonlyArray<Product>) =>
  products.map((product) => [
    { ...product, prices: null, pricesByFinish: null },
    Object.entries(blocksOf(product)).map(([finish, { sourceEur: _eur, sourceUsd: _usd, ...live }]) => [finish, live])
  ])

suite(Served.layer())("repricing", (it) => {
  it("moves source prices by up to a tenth, all of a block alike, and nothing else", function* () {
    const before = yield* emberfall
    const changelog = (yield* ask("/v1/feeds/emberfall/changelog")).json
    const { json } = yield* reprice({ gameId: "emberfall", seed: 5 })
    assert.deepInclude(json.data[0] as unknown as object, { gameId: "emberfall", seed: 5, rebuilds: 1 })
    const after = yield* emberfall
    assert.deepEqual(others(after), others(before))
    assert.deepEqual((yield* ask("/v1/feeds/emberfall/changelog")).json, changelog)
    const blocks = pairs(before, after)
    const moved = blocks.filter(({ old, new: now }) => old.marketValue !== now?.marketValue)
    assert.isTrue(moved.length > blocks.length / 2 && moved.length < blocks.length)
    for (const { old, new: now } of blocks) {
      const ratios = figures.flatMap((name) => {
        const [was, is] = [old[name], now?.[name]]
        assert.strictEqual(was === undefined, is === undefined)
        if (was === undefined || is === undefined) return []
        // At most two decimals, as a decimal text has them.
        assert.match(JSON.stringify(is), /^\d+(\.\d{1,2})?$/)
        return was < 10 ? [] : [is / was]
      })
      for (const ratio of ratios) assert.closeTo(ratio, ratios[0] ?? 1, 0.002)
      for (const ratio of ratios) assert.isTrue(ratio > 0.899 && ratio < 1.101)
    }
  })

  it("shows the same prices on the product's page, in its prices and in the feed, at once", function* () {
    yield* reprice({ gameId: "emberfall", seed: 9 })
    const [first] = yield* emberfall
    const id = first?.id ?? 0
    const { json } = yield* ask(`/v1/products/${id}`)
    assert.deepEqual(json as unknown as Product, first)
    const prices = (yield* ask(`/v1/products/${id}/prices`)).json as unknown as { pricesByFinish: Blocks }
    assert.deepEqual(prices.pricesByFinish, first?.pricesByFinish)
    const { url } = (yield* ask("/v1/feeds/emberfall/prices")).json as unknown as { url: string }
    const lines = yield* Effect.promise(async () =>
      gunzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).toString()
    )
    assert.include(lines, JSON.stringify({ productId: id, pricesByFinish: first?.pricesByFinish }))
  })

  it("renews the prices file, and neither the catalogue's nor another game's", function* () {
    type FeedTexts = Readonly<Record<string, string>>
    const feedOf = (feed: string) => Effect.map(ask(`/v1/feeds/${feed}`), ({ json }) => json as unknown as FeedTexts)
    const [catalog, other, prices] = [
      yield* feedOf("tidewrack/catalog"),
      yield* feedOf("clockwork-orchard/prices"),
      yield* feedOf("tidewrack/prices")
    ]
    const rebuiltAt = (yield* reprice({ gameId: "tidewrack" })).json.data[0] as unknown as { rebuiltAt: string }
    const after = yield* feedOf("tidewrack/prices")
    assert.notStrictEqual(after["checksum"], prices["checksum"])
    assert.deepEqual([after["lastRefreshedAt"], after["generatedAt"]], [rebuiltAt.rebuiltAt, rebuiltAt.rebuiltAt])
    assert.strictEqual((yield* feedOf("tidewrack/catalog"))["generatedAt"], catalog["generatedAt"])
    assert.strictEqual((yield* feedOf("clockwork-orchard/prices"))["generatedAt"], other["generatedAt"])
    // The link of before goes on giving what its description told of.
    const bytes = yield* Effect.promise(async () => (await (await fetch(prices["url"] ?? "")).arrayBuffer()).byteLength)
    assert.strictEqual(bytes, prices["sizeBytes"] as unknown as number)
  })

  it("has a row a day in the history, and the percentages that these rows give", function* () {
    yield* reprice({ gameId: "emberfall", seed: 1 })
    const from = yield* day
    yield* wait(86_400)
    yield* reprice({ gameId: "emberfall", seed: 2 })
    const to = yield* day
    const { json } = yield* ask(`/v1/products/${card}/prices/history?from=${from}&to=${to}&marketplace=sourceUsd`)
    const [yesterday, today] = json.data as unknown as ReadonlyArray<Required<Block> & { readonly date: string }>
    assert.deepEqual([yesterday?.date, today?.date], [from, to])
    const prices = (yield* ask(`/v1/products/${card}/prices`)).json as unknown as { pricesByFinish: Blocks }
    const block = prices.pricesByFinish["Standard"]?.["sourceUsd"]
    assert.notStrictEqual(today?.marketValue, yesterday?.marketValue)
    assert.strictEqual(block?.marketValue, today?.marketValue)
    const change = ((today?.marketValue ?? 0) / (yesterday?.marketValue ?? 1) - 1) * 100
    assert.closeTo(block?.change24h ?? Infinity, change, 0.005)
    const { json: deployed } = yield* ask(
      `/v1/products/${card}/prices/history?from=2026-03-01&to=2026-03-01&marketplace=sourceUsd`
    )
    assert.deepInclude(deployed.data[0] as unknown as Block, deployedPrice)
  })

  it("lasts until the next deployment, which brings prices of its own", function* () {
    yield* reprice({ gameId: "emberfall", seed: 3 })
    const repriced = yield* ask(`/v1/products/${card}/prices`)
    yield* ask("/sandbox/deploy", { body: { gameId: "emberfall" } })
    const deployed = yield* ask(`/v1/products/${card}/prices`)
    assert.notDeepEqual(deployed.json, repriced.json)
    const { pricesByFinish } = deployed.json as unknown as { pricesByFinish: Blocks }
    assert.deepInclude(pricesByFinish["Standard"]?.["sourceUsd"], deployedPrice)
  })

  it("of every game needs no name, and of a game that does not exist is 404", function* () {
    assert.strictEqual((yield* reprice({})).json.data.length, 3)
    const { json, status } = yield* reprice({ gameId: "none" })
    assert.deepEqual([status, json.code], [404, "GAME_NOT_FOUND"])
  })
})

const pricesWith = (seed: number, livePrices: "live" | "frozen") =>
  Effect.gen(function* () {
    yield* reprice({ gameId: "emberfall", seed })
    return (yield* emberfall).map((product) => [
      product.id,
      Object.entries(blocksOf(product)).map(([finish, { sourceEur, sourceUsd }]) => [finish, sourceEur, sourceUsd])
    ])
  }).pipe(Effect.provide(Served.layer({ livePrices })))

suite(Served.layer({ dialect: "live" }))("repricing in the live service's words", (it) => {
  it("moves the same blocks under their names", function* () {
    yield* reprice({ gameId: "emberfall", seed: 5 })
    const { json } = yield* ask(`/v1/products/${card}`)
    const { pricesByFinish } = json as unknown as Product
    assert.deepEqual(Object.keys(pricesByFinish?.["Standard"] ?? {}).includes("sourceUsd"), false)
    assert.strictEqual(JSON.stringify(pricesByFinish).includes(String(deployedPrice.marketValue)), false)
  })

  it("is the same for a seed, with live and with frozen prices, and another for another seed", function* () {
    const first = yield* pricesWith(11, "live")
    assert.deepEqual(yield* pricesWith(11, "frozen"), first)
    assert.notDeepEqual(yield* pricesWith(12, "frozen"), first)
  })
})
