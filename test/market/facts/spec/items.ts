import { deepEqual, equal, match, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readAt, refused, all, at, centsAt, numberAt, textAt } from "../reading/ask.ts"
import {
  eachOf,
  filled,
  integer,
  money,
  nullOr,
  object,
  oneOf,
  twoLetters,
  uri,
  countable,
  country,
  just,
  maybeNull,
  number,
  text
} from "../reading/kinds.ts"
import { box, card, slab } from "../world/trade.ts"

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

const party = fieldsOf("a party", ({ sales, purchases }) => [...all(sales, "*.buyer"), ...all(purchases, "*.seller")])
const buyer = fieldsOf("a buyer", ({ sales }) => all(sales, "*.buyer"))
const seller = fieldsOf("a seller", ({ purchases }) => all(purchases, "*.seller"))
const item = fieldsOf("an item", ({ sales, purchases }) => all([...sales, ...purchases], "*.items.*"))

export const parties = [
  section("spec", "OrderParty", [
    ...party(filled, "id username"),
    fact("id", "an id is stable: the same buyer has it in every sale, and it is the account's", async (world) => {
      const { sales, buyer } = world
      deepEqual([...new Set(all(sales, "*.buyer.id"))], [buyer.id])
    }),
    fact("username", "a username is the account's public name", async ({ sales, buyer }) => {
      equal(at(sales, "0.buyer.username"), buyer.username)
    }),
    ...party(maybeNull(text), "avatarUrl"),
    untried("avatarUrl", "an uploaded avatar has an address", "no operation uploads an avatar"),
    ...party(maybeNull(country), "country"),
    untried("country", "an unknown country is null", "every account of a sandbox has a country"),
    ...seller(eachOf("pro", "individual"), "type"),
    ...buyer(just(null), "type reliability"),
    ...party(object, "rating"),
    ...party(countable, "rating.count"),
    fact("rating", "rating.average is a number once there are reviews, and count is their number", async (world) => {
      const { purchaseOf, byStatus } = world
      const found = await purchaseOf(byStatus["completed"]?.orderNumber ?? "")
      deepEqual(at(found, "seller.rating"), { average: 4, count: 1 })
    }),
    ...seller(nullOr(object), "reliability"),
    ...seller(integer, "reliability.orderCount reliability.completedCount"),
    fact("reliability", "completionRate is a fraction between 0 and 1", async ({ purchases }) => {
      const rates = all(purchases, "*.seller.reliability.completionRate").filter((it) => it !== null)
      ok(rates.length > 0)
      ok(rates.every((it) => number.is(it) && Number(it) >= 0 && Number(it) <= 1))
    }),
    fact("reliability", "avgShipTimeHours is a number of hours", async ({ purchases }) => {
      const hours = all(purchases, "*.seller.reliability.avgShipTimeHours").filter((it) => it !== null)
      ok(hours.length > 0)
      ok(hours.every((it) => number.is(it) && Number(it) >= 0))
    }),
    fact("reliability", "it is null while a seller has too few recent orders", async ({ purchases }) => {
      const lone = purchases.find((each) => at(each, "seller.type") === "individual")
      equal(at(lone, "seller.reliability"), null)
    })
  ]),
  section("spec", "Graded", [
    ...item(nullOr(object), "graded", ""),
    fact("", "graded is null for raw cards and sealed products", async ({ sales }) => {
      deepEqual(
        all(sales, "0.items.*").map((each) => at(each, "graded") === null),
        [true, false, true, true]
      )
    }),
    ...item(filled, "graded.gradingService", "gradingService"),
    ...item(filled, "graded.grade", "grade"),
    fact("grade", "a grade stays as it is printed on the slab", async ({ withLine, shop }) => {
      const graded = { gradingService: "BGS", grade: "09.50 Q" }
      const { me, path } = await withLine({ ...slab, condition: null, graded })
      equal(await readAt(me.ask(`GET ${path}`), "graded.grade"), "09.50 Q")
      await refused(shop.ask("POST /v1/inventory", { lines: [{ ...slab, graded: { gradingService: "BGS" } }] }), 400)
    }),
    fact("certification", "a certification is a text, or null when there is none", async ({ seller, stock }) => {
      const numbered = { ...slab.graded, certification: "0042-A" }
      const [without, having] = await stock(await seller(), slab, { ...slab, graded: numbered })
      deepEqual([at(without, "graded.certification"), at(having, "graded.certification")], [null, "0042-A"])
    })
  ])
]
