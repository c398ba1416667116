import assert from "node:assert/strict"
import { fact, type Section } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import {
  absentOr,
  countable,
  dateTime,
  filled,
  flag,
  integer,
  just,
  language,
  listOf,
  maybeAbsent,
  maybeNull,
  object,
  oneOf,
  slug,
  uri
} from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, at, listAt } from "../reading/paths.ts"
import { box, card } from "../world/trade.ts"
import { externalIds, prices } from "./prices.ts"

const sealedOf = (products: ReadonlyArray<unknown>) => products.filter((each) => at(each, "productType") === "sealed")
const sealed = fieldsOf("a sealed product", ({ products }) => sealedOf(products))

/** Products found by a search with `listings`. */
const searched = once(async ({ ask }) => {
  const body = { productIds: [box.productId, 10_091, 10_136], listings: {} }
  return listAt(await answered(ask("POST /v1/products/search", body)), "data")
})
const found = fieldsOf("a product of a search with listings", searched)

export const sealedProducts: ReadonlyArray<Section> = [
  {
    document: "spec",
    heading: "SealedProduct",
    facts: [
      sealed("id", "id", integer),
      fact("id", "it is stable: the product is read again by it", async ({ ask }) => {
        assert.equal(at(await answered(ask(`GET /v1/products/${box.productId}`)), "id"), box.productId)
      }),
      sealed("gameId", "gameId", oneOf("emberfall", "tidewrack", "clockwork-orchard")),
      sealed("game", "game.id", filled),
      sealed("game", "game.name", filled),
      fact(["gameId", "game"], "it is a game of /v1/games, with its name", async ({ ask, products }) => {
        const games = listAt(await answered(ask("GET /v1/games")), "data")
        for (const each of sealedOf(products)) {
          const game = games.find((one) => at(one, "id") === at(each, "gameId"))
          assert.deepEqual(at(each, "game"), { id: at(game, "id"), name: at(game, "name") })
        }
      }),
      sealed("name", "name", filled),
      sealed("nameSlug", "nameSlug", slug),
      fact("nameSlug", "it is unique within its game", async ({ products }) => {
        const slugs = sealedOf(products).map((each) => `${String(at(each, "gameId"))} ${String(at(each, "nameSlug"))}`)
        assert.equal(new Set(slugs).size, slugs.length)
      }),
      sealed("languages", "languages", listOf(language)),
      sealed("productType", "productType", just("sealed")),
      sealed("productCategory", "productCategory", filled),
      fact("productCategory", "boxes, packs, bundles, kits and decks are among its values", async ({ products }) => {
        const names = new Set(sealedOf(products).map((each) => at(each, "productCategory")))
        for (const name of [
          "booster_box",
          "booster_pack",
          "bundle",
          "prerelease_kit",
          "commander_deck",
          "starter_deck"
        ])
          assert.ok(names.has(name), name)
      }),
      sealed("prices", "prices", object),
      fact("prices", "it has one price, and none by finish", async ({ products }) => {
        assert.ok(sealedOf(products).every((each) => at(each, "pricesByFinish") === undefined))
      }),
      fact("availability", "it is there only when the request has listings, also an empty one", async ({ ask }) => {
        const body = { productIds: [box.productId] }
        const plain = await answered(ask("POST /v1/products/search", body))
        const asked = await answered(ask("POST /v1/products/search", { ...body, listings: {} }))
        assert.equal(at(plain, "data.0.availability"), undefined)
        assert.ok(object.is(at(asked, "data.0.availability")))
        assert.equal(at(await answered(ask(`GET /v1/products/${box.productId}`)), "availability"), undefined)
      }),
      found("availability", "availability.inStock", flag),
      found("availability", "availability.listingCount", countable),
      found("availability", "availability.cheapest", maybeNull(object)),
      fact(
        "availability",
        "inStock, listingCount and cheapest are of the listings that match",
        async ({ ask, seller, stock }) => {
          const me = await seller()
          const line = { ...card, productId: 10_013, condition: "DMG", language: "de" }
          const search = async (condition: string) =>
            at(
              await answered(
                ask("POST /v1/products/search", {
                  productIds: [10_013],
                  listings: { condition: [condition], language: ["de"] }
                })
              ),
              "data.0.availability"
            )
          const none = await search("DMG")
          for (const amount of [0.05, 0.04])
            await stock(me, { ...line, customId: String(amount), listing: { price: { amount, currency: "EUR" } } })
          const two = await search("DMG")
          assert.deepEqual([at(none, "cheapest"), at(none, "inStock"), at(none, "listingCount")], [null, false, 0])
          assert.deepEqual([at(two, "inStock"), at(two, "listingCount")], [true, 2])
          assert.deepEqual(at(two, "cheapest.priceEur"), { amount: 0.04, currency: "EUR" })
        }
      ),
      fact(
        "availability",
        "the cheapest is compared in euros: 0.30 EUR is less than 0.28 GBP",
        async ({ ask, party, stock }) => {
          const line = { ...card, productId: 10_016, condition: "DMG" }
          for (const [country, currency, amount] of [
            ["GB", "GBP", 0.28],
            ["DE", "EUR", 0.3]
          ] as const)
            await stock(await party({ country, currency }), { ...line, listing: { price: { amount, currency } } })
          const body = { productIds: [10_016], listings: { condition: ["DMG"] } }
          const cheapest = at(await answered(ask("POST /v1/products/search", body)), "data.0.availability.cheapest")
          assert.deepEqual(
            [at(cheapest, "price"), at(cheapest, "priceEur.currency")],
            [{ amount: 0.3, currency: "EUR" }, "EUR"]
          )
        }
      ),
      sealed("expansionId", "expansionId", absentOr(integer)),
      sealed("expansion", "expansion", absentOr(object)),
      sealed("expansion", "expansion.id", integer),
      sealed("expansion", "expansion.code", filled),
      sealed("expansion", "expansion.name", filled),
      sealed("expansion", "expansion.symbolUrl", maybeAbsent(uri)),
      fact(["expansionId", "expansion"], "both are absent, or both are there and the same", async ({ products }) => {
        for (const each of sealedOf(products)) assert.equal(at(each, "expansion.id"), at(each, "expansionId"))
      }),
      sealed("externalIds", "externalIds", absentOr(object)),
      fact("externalIds", "it is never an empty object in a search", async ({ products }) => {
        assert.ok(
          all(products, "*.externalIds").every((ids) => ids === undefined || Object.keys(ids as object).length > 0)
        )
      }),
      sealed("imageUrl", "imageUrl", absentOr(uri)),
      sealed("releaseDate", "releaseDate", absentOr(dateTime)),
      ...externalIds,
      ...prices
    ]
  }
]
