import assert from "node:assert/strict"
import { fact, type Section } from "../Fact.ts"
import { answered, askAs, refused } from "../reading/ask.ts"
import { fileOf } from "../reading/fileOf.ts"
import { all, at, listAt, textAt } from "../reading/paths.ts"
import { box, card } from "../world/trade.ts"

/** A seller's currency and country, and a buyer's country. */
const sellers = [
  ["USD", "US", "US"],
  ["EUR", "DE", "FR"],
  ["GBP", "GB", "FR"],
  ["CAD", "CA", "US"],
  ["CHF", "CH", "DE"]
] as const

export const service: ReadonlyArray<Section> = [
  {
    document: "spec",
    heading: "Trading-Card Marketplace Public API Specification",
    facts: [
      fact("", "what is answered is JSON, also an error", async ({ ask, url, talk }) => {
        const answers = [
          await ask("GET /v1/games"),
          await ask("GET /v1/none"),
          await askAs(url, null, talk)("GET /v1/games")
        ]
        for (const { headers, json } of answers) {
          assert.match(headers.get("content-type") ?? "", /^application\/json/)
          assert.notEqual(json, undefined)
        }
      }),
      fact("", "what is sent is JSON: a body that is not is refused", async ({ ask }) => {
        await refused(ask("POST /v1/products/search", "{limit:1}"), 400, "BAD_REQUEST")
      })
    ]
  },
  {
    document: "spec",
    heading: "What the service does",
    facts: [
      fact(
        "",
        "the holder of a key manages stock: adds a line, reads, changes and deletes it",
        async ({ seller, stock }) => {
          const me = await seller()
          const [line] = await stock(me, card)
          const path = `/v1/inventory/${textAt(line, "id")}`
          assert.equal(at(await answered(me.ask(`GET ${path}`)), "quantity"), 1)
          await answered(me.ask(`PATCH ${path}`, { quantity: { set: 3 } }))
          assert.equal(at(await answered(me.ask(`GET ${path}`)), "quantity"), 3)
          await answered(me.ask(`DELETE ${path}`, {}))
          await refused(me.ask(`GET ${path}`), 404)
        }
      ),
      fact("", "stock is imported and exported in jobs", async ({ seller, imported, exported }) => {
        const me = await seller()
        const job = await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,4\n")
        assert.equal(at(job, "status"), "completed")
        assert.deepEqual(all(await fileOf(await exported(me)), "*.quantity"), [4])
      }),
      fact("", "the holder of a key reads sales, in which it is the seller", async ({ shop, byStatus }) => {
        const numbers = all(await answered(shop.ask("GET /v1/sales?limit=100")), "data.*.orderNumber")
        assert.ok(Object.values(byStatus).every(({ orderNumber }) => numbers.includes(orderNumber)))
      }),
      fact("", "the holder of a key reads purchases, in which it is the buyer", async ({ buyer, byStatus }) => {
        const numbers = all(await answered(buyer.ask("GET /v1/purchases?limit=100")), "data.*.orderNumber")
        assert.ok(Object.values(byStatus).every(({ orderNumber }) => numbers.includes(orderNumber)))
      }),
      fact("", "a listing is read and put into a cart", async ({ party, offers }) => {
        const me = await party({ country: "FR" })
        const items = [{ listingId: offers[0]?.listingId, quantity: 2 }]
        const added = await answered(me.ask("POST /v1/cart/items", { deliveryCountry: "FR", items }))
        assert.equal(at(added, "cart.itemCount"), 2)
      }),
      fact(
        "",
        "the catalogue has games, expansions, single cards, sealed products and market prices",
        async ({ ask }) => {
          const game = textAt(await answered(ask("GET /v1/games")), "data.0.id")
          assert.ok(listAt(await answered(ask(`GET /v1/games/${game}/expansions`)), "data").length > 0)
          for (const { productId } of [card, box]) {
            assert.equal(at(await answered(ask(`GET /v1/products/${productId}`)), "id"), productId)
            assert.equal(at(await answered(ask(`GET /v1/products/${productId}/prices`)), "productId"), productId)
          }
        }
      ),
      fact("", "the change history of a game's feeds is read", async ({ ask }) => {
        assert.ok(listAt(await answered(ask("GET /v1/feeds/emberfall/changelog")), "data").length > 0)
      }),
      fact("", "a key is bound to one account", async ({ shop, buyer }) => {
        assert.equal(at(await answered(shop.ask("GET /v1/account/me")), "id"), shop.id)
        assert.equal(at(await answered(buyer.ask("GET /v1/account/me")), "id"), buyer.id)
      }),
      fact("", "one account reads nothing of another's stock", async ({ shop, buyer }) => {
        const line = textAt(await answered(shop.ask("GET /v1/inventory?limit=1")), "data.0.id")
        await refused(buyer.ask(`GET /v1/inventory/${line}`), 404)
      }),
      ...sellers.map(([currency, from, to]) =>
        fact("", `a seller's amounts can be in ${currency}`, async ({ party, offer, buy }) => {
          const me = await party({ country: from, currency })
          const order = await buy(await party({ country: to }), [await offer(me, 14.99, {}, currency)])
          const sale = await answered(me.ask(`GET /v1/sales/${order}`))
          assert.deepEqual([at(sale, "currency"), at(sale, "subtotal.amount")], [currency, 14.99])
        })
      ),
      fact("", "a price in any other currency is refused", async ({ shop }) => {
        const lines = [{ ...card, listing: { price: { amount: 1, currency: "SEK" } } }]
        await refused(shop.ask("POST /v1/inventory", { lines }), 400, "BAD_REQUEST")
      })
    ]
  }
]
