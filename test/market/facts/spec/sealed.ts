import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, readAt, readList, all, at } from "../reading/ask.ts"
import * as kind from "../reading/kinds.ts"
import { box, card } from "../world/trade.ts"
import { externalIds, prices } from "./prices.ts"

const sealedOf = (products: ReadonlyArray<unknown>) => products.filter((each) => at(each, "productType") === "sealed")
const sealed = fieldsOf("a sealed product", ({ products }) => sealedOf(products))

/** Products found by a search with `listings`. */
const searched = once(async ({ ask }) => {
  const body = { productIds: [box.productId, 10_091, 10_136], listings: {} }
  return await readList(ask("POST /v1/products/search", body), "data")
})
const found = fieldsOf("a product of a search with listings", searched)

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
      const asked = await answered(ask("POST /v1/products/search", { ...body, listings: {} }))
      equal(at(plain, "data.0.availability"), undefined)
      ok(kind.object.is(at(asked, "data.0.availability")))
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
