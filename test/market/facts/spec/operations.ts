import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, once, section } from "../Fact.ts"
import { answered, readAt, readList, refused, all, at, keysAt, numberAt, textAt } from "../reading/ask.ts"
import { box, card, slab } from "../world/trade.ts"

/** Five lines that differ in what a filter may ask for; the customId is the name of the line. */
const stocked = once(async ({ seller, stock }) => {
  const me = await seller()
  await stock(
    me,
    { ...card, customId: "plain" },
    { ...card, customId: "foil", finish: "Foil", language: "de", condition: "LP" },
    { ...slab, customId: "slab" },
    { ...box, customId: "box", listing: { price: { amount: 2, currency: "EUR" } } },
    { ...card, customId: "tide", productId: 9_007_100_000_000_000, finish: "Standard" }
  )
  return me
})
const filters: ReadonlyArray<readonly [query: string, names: ReadonlyArray<string>]> = [
  ["game=tidewrack", ["tide"]],
  ["game=emberfall", ["plain", "foil", "slab", "box"]],
  ["productId=10046", ["box"]],
  ["productId=9007100000000000", ["tide"]],
  ["forSale=true", ["box"]],
  ["forSale=false", ["plain", "foil", "slab", "tide"]],
  ["condition=LP", ["foil"]],
  ["language=de", ["foil"]],
  ["finish=Foil", ["foil", "slab"]],
  ["graded=true", ["slab"]],
  ["graded=false", ["plain", "foil", "box", "tide"]],
  ["customId=plain", ["plain"]],
  ["finish=Foil&graded=false", ["foil"]]
]

export const operations = [
  section("spec", "Endpoint list", [
    fact("GET /v1/account/me", "it verifies a key", async ({ shop, printed }) => {
      equal(await readAt(shop.ask("GET /v1/account/me"), "username"), shop.username)
      await answered(printed("GET /v1/account/me"))
    }),
    fact("GET /v1/inventory", "an item has at least id, productId and quantity", async (world) => {
      const [first] = await readList((await stocked(world)).ask("GET /v1/inventory"), "data")
      deepEqual([typeof at(first, "id"), at(first, "productId"), at(first, "quantity")], ["string", 10_007, 1])
    }),
    ...filters.map(([query, names]) =>
      fact("GET /v1/inventory", `?${query} finds ${names.join(", ")}`, async (world) => {
        const page = await answered((await stocked(world)).ask(`GET /v1/inventory?${query}`))
        deepEqual(all(page, "data.*.customId"), names)
      })
    ),
    ...["productId=x", "forSale=perhaps", "condition=MT", "graded=2", "limit=x"].map((query) =>
      fact("GET /v1/inventory", `?${query} is refused`, async (world) => {
        await refused((await stocked(world)).ask(`GET /v1/inventory?${query}`), 400, "BAD_REQUEST")
      })
    ),
    fact("GET /v1/inventory/{inventoryId}", "it answers the line", async (world) => {
      const { ask } = await stocked(world)
      const [line] = await readList(ask("GET /v1/inventory"), "data")
      deepEqual(await answered(ask(`GET /v1/inventory/${textAt(line, "id")}`)), line)
      await refused(ask("GET /v1/inventory/none"), 404, "NOT_FOUND")
    }),
    fact("GET /v1/inventory/bulk/jobs/{jobId}", "the job, by the id that its start answered", async (world) => {
      const me = await stocked(world)
      const started = await answered(me.ask("POST /v1/inventory/bulk/export", { format: "json" }), 202)
      const job = await world.ended(me, textAt(started, "job.id"))
      deepEqual([at(job, "id"), at(job, "status")], [at(started, "job.id"), "completed"])
      await refused(me.ask("GET /v1/inventory/bulk/jobs/none"), 404, "NOT_FOUND")
      await refused(world.buyer.ask(`GET /v1/inventory/bulk/jobs/${textAt(job, "id")}`), 404)
    }),
    fact("GET /v1/products", "the product id in orders is the id used here", async ({ ask, byStatus }) => {
      const id = numberAt(byStatus["shipped"]?.sale, "items.0.productId")
      equal(await readAt(ask(`GET /v1/products/${id}`), "id"), id)
      ok((await readList(ask("GET /v1/products?limit=2"), "data")).length === 2)
    }),
    fact("POST /v1/products/search", "it answers an offset envelope", async ({ ask }) => {
      const page = await answered(ask("POST /v1/products/search", { limit: 1 }))
      deepEqual(keysAt(page, ""), ["data", "pagination"])
      deepEqual(keysAt(page, "pagination"), ["hasMore", "limit", "offset", "total"])
    }),
    fact("GET /v1/games, /v1/games/{gameId}", "a game of the list is read by its id", async ({ ask }) => {
      const games = await readList(ask("GET /v1/games"), "data")
      for (const game of games) deepEqual(await answered(ask(`GET /v1/games/${textAt(game, "id")}`)), game)
      await refused(ask("GET /v1/games/none"), 404, "GAME_NOT_FOUND")
    }),
    fact("GET /v1/games/{gameId}/expansions", "an item has at least id, name and code", async ({ ask }) => {
      for (const each of await readList(ask("GET /v1/games/emberfall/expansions"), "data")) {
        ok(Number.isSafeInteger(at(each, "id")))
        ok(textAt(each, "name") !== "" && textAt(each, "code") !== "")
      }
      await refused(ask("GET /v1/games/none/expansions"), 404, "GAME_NOT_FOUND")
    }),
    fact("GET /v1/feeds/{gameId}/changelog", "it answers a cursor envelope", async ({ ask }) => {
      const page = await answered(ask("GET /v1/feeds/emberfall/changelog?limit=1"))
      deepEqual([keysAt(page, ""), keysAt(page, "pagination")], [["data", "pagination"], ["nextCursor"]])
    }),
    fact("POST /v1/cart/items", "it takes the id of a listing to buy from", async ({ party, offers }) => {
      const me = await party({ country: "FR" })
      const items = [{ listingId: offers[1]?.listingId, quantity: 1 }]
      const cart = await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items }))
      deepEqual(all(cart, "cart.sellers.*.items.*.listingId"), [offers[1]?.listingId])
    })
  ])
]
