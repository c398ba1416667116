import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, section } from "../Fact.ts"
import { answered, refused, all, at } from "../reading/ask.ts"
import { dateTime } from "../reading/kinds.ts"

export const states = [
  section("spec", "States and transitions", [
    fact("pending_shipment", "a new order waits to be sent", async ({ ordered, saleOf }) => {
      equal(at(await saleOf(await ordered("pending_shipment")), "status"), "pending_shipment")
    }),
    fact("cancellation_requested", "the buyer asks to cancel, and the order waits for an answer", async (world) => {
      const { byStatus } = world
      const { purchase, sale } = byStatus["cancellation_requested"] ?? {}
      deepEqual([at(sale, "status"), at(purchase, "cancellation")], ["cancellation_requested", null])
    }),
    ...[
      ["cancelled_buyer", "the buyer's cancellation was accepted", "buyer"],
      ["cancelled_seller", "the seller cancelled", "seller"],
      ["cancelled_auto", "the service cancelled", "system"]
    ].map(([status = "", says = "", by]) =>
      fact(status, says, async ({ byStatus }) => {
        const { purchase, sale } = byStatus[status] ?? {}
        deepEqual([at(sale, "status"), at(purchase, "cancellation.cancelledBy")], [status, by])
      })
    ),
    fact("", "shipped and delivered follow the parcel", async ({ ordered, saleOf, scan }) => {
      const order = await ordered("shipped")
      await answered(scan(order, "in_transit"))
      equal(at(await saleOf(order), "status"), "shipped")
      await answered(scan(order, "delivered"))
      equal(at(await saleOf(order), "status"), "delivered")
    }),
    fact("", "completed is closed and paid out", async ({ byStatus }) => {
      const sale = byStatus["completed"]?.sale
      ok(dateTime.is(at(sale, "completedAt")) && dateTime.is(at(sale, "payout.paidOutAt")))
    }),
    fact("", "the outcomes of a dispute are terminal", async ({ byStatus, control, step }) => {
      const outcomes = Object.keys(byStatus).filter((status) => status.startsWith("resolved_"))
      equal(outcomes.length, 5)
      for (const status of outcomes) {
        const { orderNumber } = byStatus[status] ?? { orderNumber: "" }
        await refused(step(orderNumber, "completed"), 409, "INVALID_TRANSITION")
      }
      const shown = await answered(control("GET /sandbox/orders?limit=100"))
      const next = all(shown, "data.*").filter((order) => outcomes.includes(String(at(order, "status"))))
      ok(next.every((order) => JSON.stringify(at(order, "next")) === "[]"))
    }),
    fact("", "the event of a job says completed or failed", async ({ seller, imported, upload, ended, eventsOf }) => {
      const me = await seller()
      await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,1\n")
      const broken = await answered(upload(me, "nothing,of,this\n1,2,3\n"), 202)
      await ended(me, String(at(broken, "job.id")))
      const events = await eventsOf(me, "inventory.import.completed")
      deepEqual(all(events, "*.data.status"), ["completed", "failed"])
    })
  ])
]
