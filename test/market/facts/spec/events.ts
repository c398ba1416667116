import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, once, section } from "../Fact.ts"
import { answered, refused, all, at, listAt, textAt } from "../reading/ask.ts"
import { dateTime, filled, integer, just, nullOr, object } from "../reading/kinds.ts"
import { card } from "../world/trade.ts"
import { came, startReceiver } from "../world/receiver.ts"
import type { World } from "../world/World.ts"

/** A seller with an event of each reason: stock edited, listed, sold, cancelled, imported. */
const traded = once(async ({ buy, buyer, imported, exported, seller, stock, eventsOf, listingOf }) => {
  const me = await seller()
  const [kept] = await stock(me, { ...card, quantity: 5, customId: "kept" }, { ...card, quantity: 4 })
  const price = { amount: 6, currency: "EUR" }
  const listed = await answered(me.ask(`POST /v1/inventory/${textAt(kept, "id")}/listing`, { price, quantity: 2 }))
  const part = at(listed, "line")
  const order = await buy(buyer, [{ inventoryId: "", listingId: await listingOf(me, part) }])
  await answered(me.ask(`POST /v1/sales/${order}/cancel`, { reason: "seller_other", reasonText: "Changed my mind" }))
  await imported(me, "productId,finish,condition,language,quantity\n10010,Standard,NM,en,3\n1,Standard,NM,en,3\n")
  await exported(me)
  const types = ["inventory.quantity.changed", "inventory.import.completed", "inventory.export.completed"]
  const [quantity = [], imports = [], exports = []] = await Promise.all(types.map((type) => eventsOf(me, type)))
  return { me, kept, quantity, imports, exports }
})
const event = fieldsOf("an event", async (world) => {
  const { exports, imports, quantity } = await traded(world)
  return [...quantity, ...imports, ...exports]
})
const quantity = fieldsOf("a quantity event", async (world) => (await traded(world)).quantity)

const reasonOf = async (world: World, reason: string) => {
  const { quantity } = await traded(world)
  return quantity.filter((each) => at(each, "data.reason") === reason)
}

export const events = [
  section("spec", "Events", [
    ...event(filled, "type eventId", ""),
    ...event(dateTime, "timestamp", ""),
    ...event(object, "data", ""),
    fact("", "eventId stays the same across retries of a delivery", async ({ control, seller, stock, wait }) => {
      const receiver = await startReceiver()
      try {
        const me = await seller()
        await answered(control("POST /sandbox/webhooks", { accountId: me.id, url: receiver.url }))
        receiver.answerWith(500, 503)
        await stock(me, card)
        await came(receiver.received, 1)
        await wait(5)
        await came(receiver.received, 2)
        await wait(300)
        await came(receiver.received, 3)
        equal(new Set(receiver.received.map(({ body }) => textAt(JSON.parse(body), "eventId"))).size, 1)
        await wait(86_400)
        equal(receiver.received.length, 3)
      } finally {
        receiver.stop()
      }
    }),
    ...["inventory.quantity.changed", "inventory.import.completed", "inventory.export.completed"].map((type) =>
      fact(type, `${type} is sent when it happens`, async (world) => {
        const { me } = await traded(world)
        ok((await world.eventsOf(me, type)).length > 0)
      })
    ),
    fact("inventory.import.completed", "it is sent of a failed import, too", async (world) => {
      const { seller, upload, ended, eventsOf } = world
      const me = await seller()
      const job = at(await answered(upload(me, "x\n1\n"), 202), "job")
      equal(at(await ended(me, textAt(job, "id")), "status"), "failed")
      deepEqual(all(await eventsOf(me, "inventory.import.completed"), "*.data.status"), ["failed"])
    })
  ]),
  section("spec", "inventory.quantity.changed", [
    fact("order", "a sale reduces stock", async (world) => {
      const [sold] = await reasonOf(world, "order")
      deepEqual([at(sold, "data.changes.0.before"), at(sold, "data.changes.0.after")], [2, 1])
    }),
    fact("order_cancelled", "a cancelled order puts stock back", async (world) => {
      const [back] = await reasonOf(world, "order_cancelled")
      deepEqual([at(back, "data.changes.0.before"), at(back, "data.changes.0.after")], [1, 2])
    }),
    fact("import", "an import changes stock", async (world) => {
      const [first] = await reasonOf(world, "import")
      deepEqual(
        [at(first, "data.changes.0.productId"), at(first, "data.changes.0.before"), at(first, "data.changes.0.after")],
        [10_010, 0, 3]
      )
    }),
    fact("edit", "stock is edited directly", async (world) => {
      const [first] = await reasonOf(world, "edit")
      deepEqual(all(first, "data.changes.*.after"), [5, 4])
    }),
    fact("listing", "listing a part of a line splits it", async (world) => {
      const [first] = await reasonOf(world, "listing")
      const total = (key: string) =>
        all(first, `data.changes.*.${key}`).reduce<number>((sum, each) => sum + Number(each), 0)
      deepEqual([total("before"), total("after")], [5, 5])
      equal(listAt(first, "data.changes").length, 2)
    }),
    ...quantity(filled, "data.changes.0.inventoryId", ""),
    ...quantity(nullOr(filled), "data.changes.0.customId", ""),
    ...quantity(integer, "data.changes.0.productId data.changes.0.before data.changes.0.after", ""),
    ...quantity(just("inventory.quantity.changed"), "type", ""),
    fact("", "a line whose quantity stays is omitted", async ({ seller, stock, eventsOf }) => {
      const me = await seller()
      const lines = await stock(me, { ...card, customId: "a" }, { ...card, customId: "b" })
      const items = lines.map((line, place) => ({
        inventoryId: at(line, "id"),
        quantity: { set: 1 + place },
        comment: "x"
      }))
      await answered(me.ask("POST /v1/inventory/bulk/update", { items }))
      const events = await eventsOf(me, "inventory.quantity.changed")
      deepEqual(all(events, "1.data.changes.*.customId"), ["b"])
      await answered(me.ask(`PATCH /v1/inventory/${textAt(lines[0], "id")}`, { comment: "y" }))
      equal((await eventsOf(me, "inventory.quantity.changed")).length, 2)
    }),
    fact("", "501 changed lines are two deliveries of 500 and 1, each with its own eventId", async (world) => {
      const { seller, stock, eventsOf } = world
      const me = await seller()
      await stock(me, ...Array.from({ length: 501 }, (_, number) => ({ ...card, customId: `c-${number}` })))
      const events = await eventsOf(me, "inventory.quantity.changed")
      deepEqual(
        events.map((each) => listAt(each, "data.changes").length),
        [500, 1]
      )
      equal(new Set(all(events, "*.eventId")).size, 2)
      equal(new Set(all(events, "*.data.changes.*.inventoryId")).size, 501)
    }),
    fact("", "a refused write emits nothing", async ({ seller, stock, eventsOf }) => {
      const me = await seller()
      const [line] = await stock(me, card)
      await refused(me.ask(`PATCH /v1/inventory/${textAt(line, "id")}`, { quantity: { set: 0 } }), 400)
      equal((await eventsOf(me, "inventory.quantity.changed")).length, 1)
    })
  ])
]
