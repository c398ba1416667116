import { deepEqual, equal, ok, match } from "node:assert/strict"
import { fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, refused, all, at, listAt, textAt, fetched } from "../reading/ask.ts"
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
    fact("inventory.import.completed", "it is sent of a failed import, too", async ({ seller, failed, eventsOf }) => {
      const me = await seller()
      equal(at(await failed(me), "status"), "failed")
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
    fact("", "a refused write emits nothing", async ({ withLine, eventsOf }) => {
      const { me, path } = await withLine()
      await refused(me.ask(`PATCH ${path}`, { quantity: { set: 0 } }), 400)
      equal((await eventsOf(me, "inventory.quantity.changed")).length, 1)
    })
  ])
]

const rows = [
  "productId,finish,condition,language,quantity",
  "10007,Standard,NM,en,3",
  "1,Standard,NM,en,1",
  "10010,Standard,NM,en,2"
].join("\n")

/** An import of which one row of three fails, one of which none does, one that fails, an export, and their events. */
const jobs = once(async ({ withLine, imported, exported, failed, eventsOf }) => {
  const { me } = await withLine()
  const part = await imported(me, `${rows}\n`)
  const whole = await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,3\n")
  const broken = await failed(me)
  const out = await exported(me)
  const imports = await eventsOf(me, "inventory.import.completed")
  const [exportEvent] = await eventsOf(me, "inventory.export.completed")
  return { me, part, whole, broken, out, imports, exportEvent }
})

/** Lets time pass step by step, and says whether a link still leads to its file. */
const works = async (link: string) => (await fetched(link)).status === 200

export const jobEvents = [
  section("spec", "inventory.import.completed", [
    fact("jobId", "it is the job's, and eventId is <jobId>.completed", async (world) => {
      const { imports, part } = await jobs(world)
      equal(at(imports, "0.data.jobId"), at(part, "id"))
      equal(at(imports, "0.eventId"), `${textAt(part, "id")}.completed`)
    }),
    fact("status", "it is completed or failed", async (world) => {
      deepEqual(all((await jobs(world)).imports, "*.data.status"), ["completed", "completed", "failed"])
    }),
    ...(["total", "succeeded", "failed"] as const).map((key, place) =>
      fact(`counts.${key}`, `of three rows with a wrong one, ${key} is ${[3, 2, 1][place]}`, async (world) => {
        equal(at((await jobs(world)).imports, `0.data.counts.${key}`), [3, 2, 1][place])
      })
    ),
    fact("errorReportUrl", "it leads to a report of the failed rows", async (world) => {
      const { bytes, status } = await fetched(textAt((await jobs(world)).imports, "0.data.errorReportUrl"))
      equal(status, 200)
      const report: unknown = JSON.parse(bytes.toString())
      equal(listAt({ report }, "report").length, 1)
      match(JSON.stringify(report), /PRODUCT_NOT_FOUND/)
    }),
    fact("errorReportUrl", "it is null when there is none", async (world) => {
      equal(at((await jobs(world)).imports, "1.data.errorReportUrl"), null)
    })
  ]),
  section("spec", "inventory.export.completed", [
    fact("jobId", "it is the job's, and eventId is <jobId>.completed", async (world) => {
      const { exportEvent, out } = await jobs(world)
      equal(at(exportEvent, "data.jobId"), at(out, "id"))
      equal(at(exportEvent, "eventId"), `${textAt(out, "id")}.completed`)
    }),
    fact("status", "it is completed", async (world) => {
      equal(at((await jobs(world)).exportEvent, "data.status"), "completed")
    }),
    fact("downloadUrl", "it leads to the exported lines", async (world) => {
      const { bytes } = await fetched(textAt((await jobs(world)).exportEvent, "data.downloadUrl"))
      const lines: unknown = JSON.parse(bytes.toString())
      deepEqual(all(lines, "*.productId"), [10_007, 10_010])
    }),
    fact("expiresAt", "it is when the link stops working, an hour after the event", async (world) => {
      const { exportEvent } = await jobs(world)
      const expiresAt = textAt(exportEvent, "data.expiresAt")
      ok(dateTime.is(expiresAt))
      const minutes = (Date.parse(expiresAt) - Date.parse(textAt(exportEvent, "timestamp"))) / 60_000
      ok(minutes > 59 && minutes <= 60.1, `${minutes} minutes`)
    }),
    fact(["downloadUrl", "expiresAt"], "links work for an hour; the job has fresh ones for 7 days", async (world) => {
      const { exportEvent, imports, me, out, part } = await jobs(world)
      const links = [textAt(exportEvent, "data.downloadUrl"), textAt(imports, "0.data.errorReportUrl")]
      const fresh = async () => [
        at(await world.ended(me, textAt(out, "id")), "downloadUrl"),
        at(await world.ended(me, textAt(part, "id")), "errorReportUrl")
      ]
      await world.wait(3500)
      for (const link of links) ok(await works(link))
      await world.wait(160)
      for (const link of links) ok(!(await works(link)))
      for (const link of await fresh()) ok(await works(String(link)))
      await world.wait(6 * 86_400)
      for (const link of await fresh()) ok(await works(String(link)))
      await world.wait(86_400)
      deepEqual(await fresh(), [null, null])
    }),
    untried("status", "it is failed, with null as downloadUrl and expiresAt", "no request makes an export fail")
  ])
]
