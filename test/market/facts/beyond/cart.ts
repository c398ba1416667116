import assert from "node:assert/strict"
import { fact, type Section } from "../Fact.ts"
import { answered, refused } from "../reading/ask.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { country, dateTime, filled, integer, maybeNull, money, nullOr, object, uri } from "../reading/kinds.ts"
import { once } from "../reading/once.ts"
import { all, at, listAt } from "../reading/paths.ts"
import type { Party } from "../world/trade.ts"
import { box, slab } from "../world/trade.ts"

const add = (me: Party, items: ReadonlyArray<readonly [listingId: string, quantity: number]>, deliveryCountry = "FR") =>
  me.ask("POST /v1/cart/items", {
    deliveryCountry,
    items: items.map(([listingId, quantity]) => ({ listingId, quantity }))
  })

/** A cart of two sellers, of cards, a graded one and a sealed product. */
const filledCart = once(async ({ offer, offers, party, seller }) => {
  const me = await party({ country: "FR" })
  const other = await offer(await seller(), 1.1)
  const ids = [...offers, other].map(({ listingId }) => [listingId, 3] as const)
  return at(await answered(add(me, ids)), "cart")
})
const item = fieldsOf("an item", async (world) => all(await filledCart(world), "sellers.*.items.*"))
const seller = fieldsOf("a seller", async (world) => all(await filledCart(world), "sellers.*"))

export const cart: Section = {
  document: "beyond",
  heading: "13. Cart",
  facts: [
    fact("GET, DELETE /v1/cart", "a new cart is empty, without a country", async ({ party }) => {
      const { ask } = await party()
      assert.deepEqual(await answered(ask("GET /v1/cart")), { deliveryCountry: null, itemCount: 0, sellers: [] })
    }),
    fact("GET, DELETE /v1/cart", "DELETE empties it", async ({ party, offers }) => {
      const me = await party({ country: "FR" })
      await answered(add(me, [[offers[0]?.listingId ?? "", 1]]))
      await answered(me.ask("DELETE /v1/cart", {}))
      assert.equal(at(await answered(me.ask("GET /v1/cart")), "itemCount"), 0)
    }),
    fact("Cart", "itemCount counts units, and each seller's itemsSubtotal adds up", async (world) => {
      const found = await filledCart(world)
      assert.deepEqual([at(found, "deliveryCountry"), at(found, "itemCount")], ["FR", 15])
      assert.deepEqual(all(found, "sellers.*.itemsSubtotal.amount"), [496.29, 3.3])
    }),
    seller("Cart", "seller.id", filled),
    seller("Cart", "seller.username", filled),
    seller("Cart", "seller.country", country),
    seller("Cart", "seller.shipping", money),
    item("item", "listingId", filled),
    item("item", "productId", integer),
    item("item", "productName", filled),
    item("item", "imageUrl", nullOr(uri)),
    item("item", "condition", nullOr(filled)),
    item("item", "language", maybeNull(filled)),
    item("item", "finish", filled),
    item("item", "graded", nullOr(object)),
    item("item", "quantity", integer),
    item("item", "unitPrice", money),
    item("item", "lineTotal", money),
    item("item", "addedAt", dateTime),
    fact(
      "PATCH, DELETE /v1/cart/items/{listingId}",
      "PATCH sets the quantity, 0 removes the item, and so does DELETE",
      async ({ party, offers }) => {
        const me = await party({ country: "FR" })
        const [one = "", two = ""] = offers.map(({ listingId }) => listingId)
        await answered(
          add(me, [
            [one, 1],
            [two, 1]
          ])
        )
        const count = async () => at(await answered(me.ask("GET /v1/cart")), "itemCount")
        await answered(me.ask(`PATCH /v1/cart/items/${one}`, { quantity: 5 }))
        assert.equal(await count(), 6)
        await answered(me.ask(`PATCH /v1/cart/items/${one}`, { quantity: 0 }))
        assert.equal(await count(), 1)
        await answered(me.ask(`DELETE /v1/cart/items/${two}`, {}))
        assert.equal(await count(), 0)
        await refused(me.ask(`PATCH /v1/cart/items/${two}`, { quantity: 1 }), 404)
      }
    ),
    fact("POST /v1/cart/items", "an item that is not taken has a code, and the others are taken", async (world) => {
      const { control, offer, offers, party, seller } = world
      const me = await seller({ country: "FR" })
      const [few, choosy, local, away] = [await seller(), await seller(), await seller(), await seller()]
      const far = await party({ country: "US", currency: "USD" })
      const wanted = [
        ["none", 1],
        [(await offer(me, 1)).listingId, 1],
        [(await offer(few, 1, { quantity: 2 })).listingId, 3],
        [(await offer(far, 1, {}, "USD")).listingId, 1],
        [(await offer(local, 1)).listingId, 1],
        [(await offer(away, 1)).listingId, 1],
        [(await offer(choosy, 1)).listingId, 1],
        [offers[0]?.listingId ?? "", 1]
      ] as const
      await answered(
        control(`PUT /sandbox/accounts/${local.id}/selling`, {
          shipping: [{ country: "AT", amount: 1, service: "tracked" }]
        })
      )
      await answered(control(`PUT /sandbox/accounts/${choosy.id}/selling`, { excludedBuyers: [me.id] }))
      await answered(control(`PATCH /sandbox/accounts/${away.id}`, { status: "suspended" }))
      const { json } = await add(me, wanted.toReversed())
      assert.deepEqual(
        Object.fromEntries(
          all(json, "errors.*").map((error) => [wanted.length - 1 - Number(at(error, "index")), at(error, "code")])
        ),
        {
          0: "LISTING_NOT_FOUND",
          1: "OWN_LISTING",
          2: "INSUFFICIENT_QUANTITY",
          3: "REGION_MISMATCH",
          4: "SELLER_DOES_NOT_SHIP_TO_COUNTRY",
          5: "SELLER_UNAVAILABLE",
          6: "BUYER_EXCLUDED"
        }
      )
      assert.equal(at(json, "cart.itemCount"), 1)
    }),
    fact("POST /v1/cart/items", "QUANTITY_LIMIT_EXCEEDED says the limit, max", async ({ party, offer, seller }) => {
      const me = await party({ country: "FR" })
      const { listingId } = await offer(await seller(), 0.1, { quantity: 5000 })
      const { json } = await add(me, [[listingId, 4000]])
      assert.deepEqual(
        [at(json, "errors.0.code"), typeof at(json, "errors.0.data.max")],
        ["QUANTITY_LIMIT_EXCEEDED", "number"]
      )
    }),
    ...[
      ["no items", { deliveryCountry: "FR", items: [] }],
      [
        "1001 items",
        { deliveryCountry: "FR", items: Array.from({ length: 1001 }, () => ({ listingId: "x", quantity: 1 })) }
      ],
      ["a quantity of 0", { deliveryCountry: "FR", items: [{ listingId: "x", quantity: 0 }] }],
      ["no country", { items: [{ listingId: "x", quantity: 1 }] }],
      ["a country in words", { deliveryCountry: "France", items: [{ listingId: "x", quantity: 1 }] }]
    ].map(([says, body]) =>
      fact("POST /v1/cart/items", `${String(says)}: refused`, async ({ buyer }) => {
        await refused(buyer.ask("POST /v1/cart/items", body), 400)
      })
    ),
    fact("", "a cart holds one region at a time", async ({ party, offers, offer }) => {
      const me = await party({ country: "FR" })
      await answered(add(me, [[offers[0]?.listingId ?? "", 1]]))
      const american = await offer(await party({ country: "US", currency: "USD" }), 1, {}, "USD")
      const { json } = await add(me, [[american.listingId, 1]])
      assert.deepEqual(all(json, "errors.*.code"), ["REGION_MISMATCH"])
      const abroad = await answered(add(me, [[american.listingId, 1]], "US"))
      assert.deepEqual(all(abroad, "cart.sellers.*.seller.country"), ["US"])
    }),
    fact(
      "",
      "nothing is reserved: two carts hold the last copy, and one of them buys it",
      async ({ control, party, offer, seller }) => {
        const { listingId } = await offer(await seller(), 8, { quantity: 1 })
        const [one, two] = [await party({ country: "FR" }), await party({ country: "FR" })]
        for (const me of [one, two]) assert.deepEqual(listAt(await answered(add(me, [[listingId, 1]])), "errors"), [])
        await answered(control("POST /sandbox/checkout", { buyerId: one.id }))
        const { status } = await control("POST /sandbox/checkout", { buyerId: two.id })
        assert.equal(status, 409)
      }
    ),
    fact("", "graded cards and sealed products are bought like cards", async (world) => {
      const found = all(await filledCart(world), "sellers.*.items.*")
      assert.ok(found.some((each) => at(each, "productId") === box.productId))
      assert.ok(found.some((each) => at(each, "graded.grade") === slab.graded.grade))
    })
  ]
}
