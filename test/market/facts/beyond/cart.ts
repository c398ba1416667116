import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, readAt, readList, refused, all, at } from "../reading/ask.ts"
import { country, dateTime, filled, integer, maybeNull, money, nullOr, object, uri } from "../reading/kinds.ts"
import { type Party, box, slab } from "../world/trade.ts"

const adding = "POST /v1/cart/items"
const changing = "PATCH, DELETE /v1/cart/items/{listingId}"

const add = (me: Party, items: ReadonlyArray<readonly [listingId: string, quantity: number]>, deliveryCountry = "FR") =>
  me.ask(adding, { deliveryCountry, items: items.map(([listingId, quantity]) => ({ listingId, quantity })) })

/** A cart of two sellers, of cards, a graded one and a sealed product. */
const filledCart = once(async ({ offer, offers, party, seller }) => {
  const me = await party({ country: "FR" })
  const other = await offer(await seller(), 1.1)
  const ids = [...offers, other].map(({ listingId }) => [listingId, 3] as const)
  return await readAt(add(me, ids), "cart")
})
const item = fieldsOf("an item", async (world) => all(await filledCart(world), "sellers.*.items.*"))
const seller = fieldsOf("a seller", async (world) => all(await filledCart(world), "sellers.*"))

export const cart = section("beyond", "13. Cart", [
  fact("GET, DELETE /v1/cart", "a new cart is empty, without a country", async ({ party }) => {
    const { ask } = await party()
    deepEqual(await answered(ask("GET /v1/cart")), { deliveryCountry: null, itemCount: 0, sellers: [] })
  }),
  fact("GET, DELETE /v1/cart", "DELETE empties it, twice alike", async ({ party, offers }) => {
    const me = await party({ country: "FR" })
    await answered(add(me, [[offers[0]?.listingId ?? "", 1]]))
    for (const _ of ["once", "again"]) equal(await readAt(me.ask("DELETE /v1/cart", {}), "itemCount"), 0)
    equal(await readAt(me.ask("GET /v1/cart"), "itemCount"), 0)
  }),
  fact("Cart", "itemCount counts units, and each seller's itemsSubtotal adds up", async (world) => {
    const found = await filledCart(world)
    deepEqual([at(found, "deliveryCountry"), at(found, "itemCount")], ["FR", 15])
    deepEqual(all(found, "sellers.*.itemsSubtotal.amount"), [496.29, 3.3])
  }),
  ...seller(filled, "seller.id seller.username", "Cart"),
  ...seller(country, "seller.country", "Cart"),
  ...seller(money, "seller.shipping", "Cart"),
  ...item(filled, "listingId productName finish", "item"),
  ...item(integer, "productId quantity", "item"),
  ...item(nullOr(uri), "imageUrl", "item"),
  ...item(nullOr(filled), "condition", "item"),
  ...item(maybeNull(filled), "language", "item"),
  ...item(nullOr(object), "graded", "item"),
  ...item(money, "unitPrice lineTotal", "item"),
  ...item(dateTime, "addedAt", "item"),
  fact(changing, "PATCH sets the quantity, 0 removes the item, and so does DELETE", async ({ party, offers }) => {
    const me = await party({ country: "FR" })
    const [one = "", two = ""] = offers.map(({ listingId }) => listingId)
    await answered(
      add(me, [
        [one, 1],
        [two, 1]
      ])
    )
    const count = async () => await readAt(me.ask("GET /v1/cart"), "itemCount")
    await answered(me.ask(`PATCH /v1/cart/items/${one}`, { quantity: 5 }))
    equal(await count(), 6)
    await answered(me.ask(`PATCH /v1/cart/items/${one}`, { quantity: 0 }))
    equal(await count(), 1)
    for (const _ of ["once", "again"]) await answered(me.ask(`DELETE /v1/cart/items/${two}`, {}))
    equal(await count(), 0)
    await refused(me.ask(`PATCH /v1/cart/items/${two}`, { quantity: 1 }), 404)
  }),
  fact(adding, "an item that is not taken has a code, and the others are taken", async (world) => {
    const { control, offer, offers, party, seller, shipTo } = world
    const me = await seller({ country: "FR" })
    const [few, choosy, local, away] = [await seller(), await seller(), await seller(), await seller()]
    const far = await party({ country: "US", currency: "USD" })
    const last = await offer(few, 1, { quantity: 2 })
    const wanted = [
      ["none", 1],
      [(await offer(me, 1)).listingId, 1],
      [last.listingId, 1],
      [(await offer(far, 1, {}, "USD")).listingId, 1],
      [(await offer(local, 1)).listingId, 1],
      [(await offer(away, 1)).listingId, 1],
      [(await offer(choosy, 1)).listingId, 1],
      [last.listingId, 2],
      [offers[0]?.listingId ?? "", 1]
    ] as const
    await shipTo(local, "AT")
    await answered(control(`PUT /sandbox/accounts/${choosy.id}/selling`, { excludedBuyers: [me.id] }))
    await answered(control(`PATCH /sandbox/accounts/${away.id}`, { status: "suspended" }))
    const { json } = await add(me, wanted.toReversed())
    deepEqual(
      Object.fromEntries(
        all(json, "errors.*").map((error) => [
          wanted.length - 1 - Number(at(error, "index")),
          [at(error, "code"), at(error, "data")]
        ])
      ),
      {
        0: ["LISTING_NOT_FOUND", {}],
        1: ["OWN_LISTING", {}],
        2: ["INSUFFICIENT_QUANTITY", { available: 2, requested: 3 }],
        3: ["REGION_MISMATCH", { region: "na", cartRegion: "eu" }],
        4: ["SELLER_DOES_NOT_SHIP_TO_COUNTRY", { country: "FR" }],
        5: ["SELLER_UNAVAILABLE", {}],
        6: ["BUYER_EXCLUDED", {}]
      }
    )
    equal(at(json, "cart.itemCount"), 3)
  }),
  fact(adding, "QUANTITY_LIMIT_EXCEEDED says the limit, max", async ({ party, offer, seller }) => {
    const me = await party({ country: "FR" })
    const { listingId } = await offer(await seller(), 0.1, { quantity: 5000 })
    const { json } = await add(me, [[listingId, 4000]])
    deepEqual([at(json, "errors.0.code"), typeof at(json, "errors.0.data.max")], ["QUANTITY_LIMIT_EXCEEDED", "number"])
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
    fact(adding, `${String(says)}: refused`, async ({ buyer }) => {
      await refused(buyer.ask(adding, body), 400)
    })
  ),
  fact("", "a cart holds one region at a time", async ({ party, offers, offer }) => {
    const me = await party({ country: "FR" })
    await answered(add(me, [[offers[0]?.listingId ?? "", 1]]))
    const american = await offer(await party({ country: "US", currency: "USD" }), 1, {}, "USD")
    const { json } = await add(me, [[american.listingId, 1]])
    deepEqual(all(json, "errors.*.code"), ["REGION_MISMATCH"])
    const abroad = await answered(add(me, [[american.listingId, 1]], "US"))
    deepEqual(all(abroad, "cart.sellers.*.seller.country"), ["US"])
  }),
  fact("", "nothing is reserved: two carts hold the last copy, and one of them buys it", async (world) => {
    const { control, party, offer, seller } = world
    const { listingId } = await offer(await seller(), 8, { quantity: 1 })
    const [one, two] = [await party({ country: "FR" }), await party({ country: "FR" })]
    for (const me of [one, two]) deepEqual(await readList(add(me, [[listingId, 1]]), "errors"), [])
    await answered(control("POST /sandbox/checkout", { buyerId: one.id }))
    const { status } = await control("POST /sandbox/checkout", { buyerId: two.id })
    equal(status, 409)
  }),
  fact("", "graded cards and sealed products are bought like cards", async (world) => {
    const found = all(await filledCart(world), "sellers.*.items.*")
    ok(found.some((each) => at(each, "productId") === box.productId))
    ok(found.some((each) => at(each, "graded.grade") === slab.graded.grade))
  })
])
