import * as kind from "../reading/kinds.ts"
import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, type Fact } from "../Fact.ts"
import { answered, readAt, readList, all, at, centsAt, keysAt, listAt } from "../reading/ask.ts"
import { box, card } from "../world/trade.ts"
import { countable, filled, just, listOf, maybeAbsent, money, number, object } from "../reading/kinds.ts"
import { unoffered } from "../world/World.ts"

const sealedOf = (products: ReadonlyArray<unknown>) => products.filter((each) => at(each, "productType") === "sealed")
const sealed = fieldsOf("a sealed product", ({ products }) => sealedOf(products))

/** Products found by a search with `listings`. */
const searched = once(async ({ ask }) => {
  const body = { productIds: [box.productId, 10_091, 10_136], listings: {} }
  return await readList(ask("POST /v1/products/search", body), "data")
})
const found = fieldsOf("a product of a search with listings", searched)

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

const externalIds: ReadonlyArray<Fact> = [
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

const prices: ReadonlyArray<Fact> = [
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

export const sealedProducts = [
  section("spec", "SealedProduct", [
    ...sealed(kind.integer, "id expansion.id"),
    fact("id", "it is stable: the product is read again by it", async ({ ask }) => {
      equal(await readAt(ask(`GET /v1/products/${box.productId}`), "id"), box.productId)
    }),
    ...sealed(kind.oneOf("emberfall", "tidewrack", "clockwork-orchard"), "gameId"),
    ...sealed(kind.filled, "game.id game.name name productCategory expansion.code expansion.name"),
    fact(["gameId", "game"], "it is a game of /v1/games, with its name", async ({ ask, products }) => {
      const games = await readList(ask("GET /v1/games"), "data")
      for (const each of sealedOf(products)) {
        const game = games.find((one) => at(one, "id") === at(each, "gameId"))
        deepEqual(at(each, "game"), { id: at(game, "id"), name: at(game, "name") })
      }
    }),
    ...sealed(kind.slug, "nameSlug"),
    fact("nameSlug", "it is unique within its game", async ({ products }) => {
      const slugs = sealedOf(products).map((each) => `${String(at(each, "gameId"))} ${String(at(each, "nameSlug"))}`)
      equal(new Set(slugs).size, slugs.length)
    }),
    ...sealed(kind.listOf(kind.language), "languages"),
    ...sealed(kind.just("sealed"), "productType"),
    fact("productCategory", "boxes, packs, bundles, kits and decks are among its values", async ({ products }) => {
      const names = new Set(sealedOf(products).map((each) => at(each, "productCategory")))
      for (const name of ["booster_box", "booster_pack", "bundle", "prerelease_kit", "commander_deck", "starter_deck"])
        ok(names.has(name), name)
    }),
    ...sealed(kind.object, "prices"),
    fact("prices", "it has one price, and none by finish", async ({ products }) => {
      ok(sealedOf(products).every((each) => at(each, "pricesByFinish") === undefined))
    }),
    fact("availability", "it is there only when the request has listings, also an empty one", async ({ ask }) => {
      const body = { productIds: [box.productId] }
      const plain = await answered(ask("POST /v1/products/search", body))
      const listed = await answered(ask("POST /v1/products/search", { ...body, listings: {} }))
      equal(at(plain, "data.0.availability"), undefined)
      ok(kind.object.is(at(listed, "data.0.availability")))
      equal(await readAt(ask(`GET /v1/products/${box.productId}`), "availability"), undefined)
    }),
    ...found(kind.flag, "availability.inStock"),
    ...found(kind.countable, "availability.listingCount"),
    ...found(kind.maybeNull(kind.object), "availability.cheapest"),
    fact("availability", "inStock, listingCount and cheapest are of the listings that match", async (world) => {
      const { ask, seller, stock } = world
      const me = await seller()
      const line = { ...card, productId: 10_013, condition: "DMG", language: "de" }
      const search = async (condition: string) =>
        await readAt(
          ask("POST /v1/products/search", {
            productIds: [10_013],
            listings: { condition: [condition], language: ["de"] }
          }),
          "data.0.availability"
        )
      const none = await search("DMG")
      for (const amount of [0.05, 0.04])
        await stock(me, { ...line, customId: String(amount), listing: { price: { amount, currency: "EUR" } } })
      const two = await search("DMG")
      deepEqual([at(none, "cheapest"), at(none, "inStock"), at(none, "listingCount")], [null, false, 0])
      deepEqual([at(two, "inStock"), at(two, "listingCount")], [true, 2])
      deepEqual(at(two, "cheapest.priceEur"), { amount: 0.04, currency: "EUR" })
    }),
    fact("availability", "the cheapest is compared in euros: 0.30 EUR is less than 0.28 GBP", async (world) => {
      const { ask, party, stock } = world
      const line = { ...card, productId: 10_016, condition: "DMG" }
      for (const [country, currency, amount] of [
        ["GB", "GBP", 0.28],
        ["DE", "EUR", 0.3]
      ] as const)
        await stock(await party({ country, currency }), { ...line, listing: { price: { amount, currency } } })
      const body = { productIds: [10_016], listings: { condition: ["DMG"] } }
      const cheapest = await readAt(ask("POST /v1/products/search", body), "data.0.availability.cheapest")
      deepEqual([at(cheapest, "price"), at(cheapest, "priceEur.currency")], [{ amount: 0.3, currency: "EUR" }, "EUR"])
    }),
    ...sealed(kind.absentOr(kind.integer), "expansionId"),
    ...sealed(kind.absentOr(kind.object), "expansion externalIds"),
    ...sealed(kind.maybeAbsent(kind.uri), "expansion.symbolUrl"),
    fact(["expansionId", "expansion"], "both are absent, or both are there and the same", async ({ products }) => {
      for (const each of sealedOf(products)) equal(at(each, "expansion.id"), at(each, "expansionId"))
    }),
    fact("externalIds", "it is never an empty object in a search", async ({ products }) => {
      ok(all(products, "*.externalIds").every((ids) => ids === undefined || Object.keys(ids as object).length > 0))
    }),
    ...sealed(kind.absentOr(kind.uri), "imageUrl"),
    ...sealed(kind.absentOr(kind.dateTime), "releaseDate"),
    ...externalIds,
    ...prices
  ])
]
