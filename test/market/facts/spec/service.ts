import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict"
import { fact, section } from "../Fact.ts"
import { answered, fileOf, readAll, readAt, readList, readText, refused, all, at } from "../reading/ask.ts"
import { box, card } from "../world/trade.ts"

/** A seller's currency and country, and a buyer's country. */
const sellers = [
  ["USD", "US", "US"],
  ["EUR", "DE", "FR"],
  ["GBP", "GB", "FR"],
  ["CAD", "CA", "US"],
  ["CHF", "CH", "DE"]
] as const

export const service = [
  section("spec", "Trading-Card Marketplace Public API Specification", [
    fact("", "what is answered is JSON, also an error", async ({ ask, keyless }) => {
      const answers = [await ask("GET /v1/games"), await ask("GET /v1/none"), await keyless("GET /v1/games")]
      for (const { headers, json } of answers) {
        match(headers.get("content-type") ?? "", /^application\/json/)
        notEqual(json, undefined)
      }
    }),
    fact("", "what is sent is JSON: a body that is not is refused", async ({ ask }) => {
      await refused(ask("POST /v1/products/search", "{limit:1}"), 400, "BAD_REQUEST")
    })
  ]),
  section("spec", "What the service does", [
    fact("", "the holder of a key manages stock: adds a line, reads, changes and deletes it", async (world) => {
      const { me, path } = await world.withLine()
      equal(await readAt(me.ask(`GET ${path}`), "quantity"), 1)
      await answered(me.ask(`PATCH ${path}`, { quantity: { set: 3 } }))
      equal(await readAt(me.ask(`GET ${path}`), "quantity"), 3)
      await answered(me.ask(`DELETE ${path}`, {}))
      await refused(me.ask(`GET ${path}`), 404)
    }),
    fact("", "stock is imported and exported in jobs", async ({ seller, imported, exported }) => {
      const me = await seller()
      const job = await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,4\n")
      equal(at(job, "status"), "completed")
      deepEqual(all(await fileOf(await exported(me)), "*.quantity"), [4])
    }),
    fact("", "the holder of a key reads sales, in which it is the seller", async ({ shop, byStatus }) => {
      const numbers = await readAll(shop.ask("GET /v1/sales?limit=100"), "data.*.orderNumber")
      ok(Object.values(byStatus).every(({ orderNumber }) => numbers.includes(orderNumber)))
    }),
    fact("", "the holder of a key reads purchases, in which it is the buyer", async ({ buyer, byStatus }) => {
      const numbers = await readAll(buyer.ask("GET /v1/purchases?limit=100"), "data.*.orderNumber")
      ok(Object.values(byStatus).every(({ orderNumber }) => numbers.includes(orderNumber)))
    }),
    fact("", "a listing is read and put into a cart", async ({ party, offers }) => {
      const me = await party({ country: "FR" })
      const items = [{ listingId: offers[0]?.listingId, quantity: 2 }]
      const added = await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items }))
      equal(at(added, "cart.itemCount"), 2)
    }),
    fact("", "the catalogue has games, expansions, single cards, sealed products and market prices", async (world) => {
      const { ask } = world
      const game = await readText(ask("GET /v1/games"), "data.0.id")
      ok((await readList(ask(`GET /v1/games/${game}/expansions`), "data")).length > 0)
      for (const { productId } of [card, box]) {
        equal(await readAt(ask(`GET /v1/products/${productId}`), "id"), productId)
        equal(await readAt(ask(`GET /v1/products/${productId}/prices`), "productId"), productId)
      }
    }),
    fact("", "the change history of a game's feeds is read", async ({ ask }) => {
      ok((await readList(ask("GET /v1/feeds/emberfall/changelog"), "data")).length > 0)
    }),
    fact("", "a key is bound to one account", async ({ shop, buyer }) => {
      equal(await readAt(shop.ask("GET /v1/account/me"), "id"), shop.id)
      equal(await readAt(buyer.ask("GET /v1/account/me"), "id"), buyer.id)
    }),
    fact("", "one account reads nothing of another's stock", async ({ shop, buyer }) => {
      const line = await readText(shop.ask("GET /v1/inventory?limit=1"), "data.0.id")
      await refused(buyer.ask(`GET /v1/inventory/${line}`), 404)
    }),
    ...sellers.map(([currency, from, to]) =>
      fact("", `a seller's amounts can be in ${currency}`, async ({ party, offer, buy }) => {
        const me = await party({ country: from, currency })
        const order = await buy(await party({ country: to }), [await offer(me, 14.99, {}, currency)])
        const sale = await answered(me.ask(`GET /v1/sales/${order}`))
        deepEqual([at(sale, "currency"), at(sale, "subtotal.amount")], [currency, 14.99])
      })
    ),
    fact("", "a price in any other currency is refused", async ({ shop }) => {
      const lines = [{ ...card, listing: { price: { amount: 1, currency: "SEK" } } }]
      await refused(shop.ask("POST /v1/inventory", { lines }), 400, "BAD_REQUEST")
    })
  ])
]
