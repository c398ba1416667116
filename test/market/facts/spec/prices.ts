import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf } from "../Fact.ts"
import { answered, all, at, centsAt, keysAt, listAt } from "../reading/ask.ts"
import { countable, filled, just, listOf, maybeAbsent, money, number, object } from "../reading/kinds.ts"
import { box, card } from "../world/trade.ts"
import { unoffered } from "../world/World.ts"

const product = fieldsOf("a product", ({ products }) => products)
/** The price blocks of cards and sealed products. */
const blocksOf = (products: ReadonlyArray<unknown>) =>
  [...all(products, "*.pricesByFinish.*"), ...all(products, "*.prices")].filter((it) => it !== undefined)
const block = fieldsOf("a price block", ({ products }) => blocksOf(products))
const live = (products: ReadonlyArray<unknown>) =>
  blocksOf(products)
    .flatMap((each) => all(each, "marketplace"))
    .filter((it) => it !== undefined)

/** Ids of cards of one game; which game is the sandbox's own choice. */
const gameIds = ["mtgId", "mtgOracleId", "konamiStyleId", "lorcanaId", "fabId", "riftboundId"]

export const externalIds: ReadonlyArray<Fact> = [
  ...["sourceEur", "sourceUsd"].flatMap((source) =>
    product(maybeAbsent(listOf(object)), `externalIds.${source}`, source)
  ),
  ...["sourceEur", "sourceUsd"].map((source) =>
    fact(source, `${source} has an id for each finish`, async ({ products }) => {
      const entries = all(products, `*.externalIds.${source}.*`)
      ok(entries.length > 100)
      for (const entry of entries) ok(filled.is(at(entry, "finish")) && countable.is(at(entry, "id")))
    })
  ),
  ...gameIds.map((key) =>
    fact(key, `${key} is a text, of cards of one game only`, async ({ products }) => {
      const having = products.filter((each) => at(each, `externalIds.${key}`) !== undefined)
      for (const each of having) {
        ok(filled.is(at(each, `externalIds.${key}`)))
        equal(at(each, "productType"), "card")
      }
      ok(new Set(having.map((each) => at(each, "gameId"))).size <= 1)
    })
  ),
  fact("mtgOracleId", "printings of a card share it", async ({ products }) => {
    const oracles = all(products, "*.externalIds.mtgOracleId").filter((it) => it !== undefined)
    const printings = all(products, "*.externalIds.mtgId").filter((it) => it !== undefined)
    ok(new Set(oracles).size < oracles.length)
    equal(new Set(printings).size, printings.length)
  })
]

const tiers = ["low", "mid", "high", "marketValue", "change24h", "change7d", "change30d"]

export const prices: ReadonlyArray<Fact> = [
  ...[
    ["sourceEur", "EUR"],
    ["sourceUsd", "USD"]
  ].flatMap(([source = "", currency]) => [
    fact(source, `${source} is in ${currency}`, async ({ products }) => {
      const found = blocksOf(products).flatMap((each) => all(each, `${source}.currency`))
      deepEqual([...new Set(found)], [currency])
    }),
    fact(source, `${tiers.join(", ")} of ${source} are numbers where they are there`, async ({ products }) => {
      const blocks = blocksOf(products)
        .map((each) => at(each, source))
        .filter((it) => it !== undefined)
      for (const each of blocks)
        for (const tier of tiers) {
          const value = at(each, tier)
          ok(value == null || number.is(value), `${tier}: ${JSON.stringify(value)}`)
        }
      for (const tier of tiers.slice(0, 4))
        ok(
          blocks.some((each) => number.is(at(each, tier))),
          tier
        )
    }),
    fact(source, `${source} is absent without a price, never empty`, async ({ products }) => {
      const blocks = blocksOf(products).map((each) => at(each, source))
      ok(blocks.includes(undefined))
      ok(blocks.every((each) => each === undefined || tiers.some((tier) => number.is(at(each, tier)))))
    })
  ]),
  ...block(maybeAbsent(object), "marketplace"),
  ...block(money, "marketplace.low"),
  ...block(countable, "marketplace.listingCount marketplace.availableQuantity"),
  ...block(object, "marketplace.regions"),
  ...block(just("EUR"), "marketplace.low.currency"),
  fact("marketplace", "region eu is in EUR and na in USD, and there is no other", async ({ products }) => {
    const regions = live(products).flatMap((each) => Object.entries(at(each, "regions") as object))
    deepEqual([...new Set(regions.map(([name, region]) => `${name} ${String(at(region, "currency"))}`))].toSorted(), [
      "eu EUR",
      "na USD"
    ])
  }),
  fact("marketplace", "a region has low, listingCount, availableQuantity and byCondition", async ({ products }) => {
    for (const region of live(products).flatMap((each) => all(each, "regions.*"))) {
      ok(number.is(at(region, "low")) && object.is(at(region, "byCondition")))
      ok(countable.is(at(region, "listingCount")) && countable.is(at(region, "availableQuantity")))
    }
  }),
  fact("marketplace", "its counts are the sums over the regions", async ({ products }) => {
    for (const each of live(products))
      for (const key of ["listingCount", "availableQuantity"]) {
        const sum = all(each, `regions.*.${key}`).reduce<number>((total, part) => total + Number(part), 0)
        equal(at(each, key), sum, key)
      }
  }),
  fact("marketplace", "low is the floor of all regions in euros", async ({ products }) => {
    for (const each of live(products)) {
      const eu = at(each, "regions.eu.low")
      if (eu === undefined) continue
      ok(centsAt(each, "low.amount") <= Math.round(Number(eu) * 100))
      if (keysAt(each, "regions").length === 1) equal(at(each, "low.amount"), eu)
    }
  }),
  fact("marketplace", "it is absent when no live listing is in stock", async (world) => {
    const productId = await unoffered(world)
    const path = "pricesByFinish.Standard.marketplace"
    const read = async () => at(await answered(world.ask(`GET /v1/products/${productId}`)), path)
    equal(await read(), undefined)
    const mine = await world.offer(await world.seller(), 1.5, { productId, quantity: 1 })
    deepEqual(at(await read(), "low"), { amount: 1.5, currency: "EUR" })
    await world.buy(world.buyer, [mine])
    equal(await read(), undefined)
  }),
  fact("marketplace", "it counts exactly the listings that are there", async ({ ask, offers }) => {
    equal(offers.length, 4)
    for (const { productId } of [card, box]) {
      const product = await answered(ask(`GET /v1/products/${productId}`))
      const listings: Array<unknown> = []
      let cursor = ""
      do {
        const page = await answered(ask(`GET /v1/products/${productId}/listings?limit=100${cursor}`))
        listings.push(...listAt(page, "data"))
        cursor =
          at(page, "pagination.nextCursor") === null ? "" : `&cursor=${String(at(page, "pagination.nextCursor"))}`
      } while (cursor !== "")
      const blocks = live([product])
      const counted = blocks.reduce<number>((sum, each) => sum + Number(at(each, "listingCount")), 0)
      const units = blocks.reduce<number>((sum, each) => sum + Number(at(each, "availableQuantity")), 0)
      deepEqual(
        [counted, units],
        [listings.length, listings.reduce<number>((sum, each) => sum + Number(at(each, "quantity")), 0)]
      )
    }
  })
]
