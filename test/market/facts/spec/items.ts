import { deepEqual, equal, match } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, readAt, refused, all, at, centsAt, numberAt, textAt } from "../reading/ask.ts"
import { eachOf, filled, integer, money, nullOr, object, oneOf, twoLetters, uri } from "../reading/kinds.ts"
import { box, card } from "../world/trade.ts"

const bought = fieldsOf("an item", ({ purchases }) => all(purchases, "*.items.*"))
const sold = fieldsOf("a sale's item", ({ sales }) => all(sales, "*.items.*"))

/** A purchase of two cards of Emberfall, of which the next deployment renames one and removes the other. */
const redeployed = once(async ({ buy, buyer, control, offer, purchaseOf, seller }) => {
  const me = await seller()
  const offers = [
    await offer(me, 1.5, { productId: 10_079, customId: "before" }),
    await offer(me, 2.5, { productId: 10_040 })
  ]
  const order = await buy(buyer, offers)
  const before = await purchaseOf(order)
  await answered(control("POST /sandbox/deploy", { gameId: "emberfall" }))
  return { me, order, before, offers }
})

export const items = [
  section("spec", "OrderLineItem", [
    ...bought(integer, "productId quantity"),
    ...bought(filled, "productName"),
    ...bought(nullOr(uri), "imageUrl"),
    ...bought(nullOr(oneOf("NM", "LP", "MP", "HP", "DMG")), "condition"),
    ...["NM", "LP", "MP", "HP", "DMG"].map((condition) =>
      fact("condition", `${condition} is a condition`, async ({ shop, stock }) => {
        equal(at((await stock(shop, { ...card, condition }))[0], "condition"), condition)
      })
    ),
    fact("condition", "any other condition is refused", async ({ shop }) => {
      await refused(shop.ask("POST /v1/inventory", { lines: [{ ...card, condition: "MT" }] }), 400)
    }),
    fact("condition", "a condition is null when graded or sealed", async ({ byStatus }) => {
      const conditions = all(byStatus["shipped"]?.purchase, "items.*.condition")
      deepEqual(conditions, ["NM", null, null, "LP"])
    }),
    ...bought(twoLetters, "language"),
    fact("language", "it is a code also where a sealed product's listing has no language", async (world) => {
      const me = await world.seller()
      const order = await world.buy(world.buyer, [
        await world.offer(me, 42, { ...box, language: null, condition: null })
      ])
      const sides = [await world.purchaseOf(order), await answered(me.ask(`GET /v1/sales/${order}`))]
      for (const side of sides) match(textAt(side, "items.0.language"), /^[a-z]{2}$/)
    }),
    ...bought(eachOf("Standard", "Foil"), "finish"),
    ...bought(nullOr(object), "graded"),
    ...bought(money, "unitPrice lineTotal"),
    fact(["quantity", "unitPrice", "lineTotal"], "a line's total is its price times the units sold", async (world) => {
      const { buyer, control, offers, purchaseOf } = world
      const wanted = offers.map(({ listingId }, place) => ({ listingId, quantity: place + 3 }))
      const made = await answered(control("POST /sandbox/checkout", { buyerId: buyer.id, items: wanted }))
      const purchase = await purchaseOf(textAt(made, "orders.0"))
      for (const item of all(purchase, "items.*"))
        equal(centsAt(item, "lineTotal.amount"), centsAt(item, "unitPrice.amount") * numberAt(item, "quantity"))
      deepEqual(all(purchase, "items.*.quantity"), [3, 4, 5, 6])
    }),
    fact(["productName", "imageUrl"], "name and picture stay as they were when it was sold", async (world) => {
      const { before, order } = await redeployed(world)
      const now = await readAt(world.ask("GET /v1/products/10079"), "name")
      equal(now, "Cinder Furnace, Reforged")
      const after = await world.purchaseOf(order)
      equal(at(after, "items.0.productName"), "Cinder Furnace")
      deepEqual(all(after, "items.*.imageUrl"), all(before, "items.*.imageUrl"))
    }),
    fact("productId", "it is null when the product is no longer in the catalogue", async (world) => {
      const { before, order } = await redeployed(world)
      await refused(world.ask("GET /v1/products/10040"), 404)
      equal(at(before, "items.1.productId"), 10_040)
      const after = await world.purchaseOf(order)
      deepEqual(all(after, "items.*.productId"), [10_079, null])
    })
  ]),
  section("spec", "Sale line item", [
    ...sold(filled, "inventoryId"),
    fact("inventoryId", "it leads to the line that was sold from", async ({ shop, sales, offers }) => {
      deepEqual(
        all(sales, "0.items.*.inventoryId"),
        offers.map(({ inventoryId }) => inventoryId)
      )
      const line = await answered(shop.ask(`GET /v1/inventory/${textAt(sales, "0.items.0.inventoryId")}`))
      equal(at(line, "customId"), "RAW-1")
    }),
    ...sold(nullOr(filled), "customId"),
    ...[1, 255].map((length) =>
      fact("customId", `a customId of length ${length} is taken`, async ({ seller, stock }) => {
        const customId = "é".repeat(length)
        equal(at((await stock(await seller(), { ...card, customId }))[0], "customId"), customId)
      })
    ),
    ...[0, 256].map((length) =>
      fact("customId", `a customId of length ${length} is refused`, async ({ shop }) => {
        const lines = [{ ...card, customId: "x".repeat(length) }]
        await refused(shop.ask("POST /v1/inventory", { lines }), 400, "BAD_REQUEST")
      })
    ),
    fact("customId", "it stays as it was when it was sold, whatever the line's is now", async (world) => {
      const { me, offers, order } = await redeployed(world)
      await answered(me.ask(`PATCH /v1/inventory/${offers[0]?.inventoryId}`, { customId: "after" }))
      equal(await readAt(me.ask(`GET /v1/sales/${order}`), "items.0.customId"), "before")
    }),
    fact("", "an item of a sale has every field of an item", async ({ byStatus }) => {
      const { purchase, sale } = byStatus["shipped"] ?? {}
      for (const [place, item] of all(purchase, "items.*").entries())
        for (const [key, value] of Object.entries(item as object))
          deepEqual(at(sale, `items.${place}.${key}`), value, key)
    })
  ])
]
