import { deepEqual, equal } from "node:assert/strict"
import { type Fact, fact } from "../Fact.ts"
import { answered, refused, at, numberAt } from "../reading/ask.ts"
import { statuses } from "../world/orders.ts"

const resolved = statuses.filter((status) => status.startsWith("resolved_"))

/** Where an order goes from a status; anywhere else it does not. */
export const edges: Readonly<Record<string, ReadonlyArray<string>>> = {
  pending_shipment: ["shipped", "cancelled_seller", "cancellation_requested", "cancelled_auto"],
  cancellation_requested: ["shipped", "cancelled_buyer", "cancelled_auto", "pending_shipment"],
  shipped: ["delivered", "dispute_open"],
  delivered: ["completed", "dispute_open"],
  dispute_open: ["dispute_escalated"],
  dispute_escalated: resolved,
  completed: [],
  cancelled_buyer: [],
  cancelled_seller: [],
  cancelled_auto: [],
  ...Object.fromEntries(resolved.map((status) => [status, []]))
}
const amounts = new Set(["resolved_partial_refund", "resolved_goodwill_refund"])

const ofStatus = ([from, targets]: readonly [string, ReadonlyArray<string>]): ReadonlyArray<Fact> => {
  const goes = targets.map((to) =>
    fact(from, `${from} goes to ${to}`, async ({ ordered, saleOf, ship, shop, step }) => {
      const order = await ordered(from)
      await answered(to === "shipped" ? ship(shop, order) : step(order, to, amounts.has(to) ? { amount: 1 } : {}))
      equal(at(await saleOf(order), "status"), to)
    })
  )
  const nowhereElse = fact(from, `${from} goes nowhere else`, async ({ byStatus, saleOf, step }) => {
    const { orderNumber } = byStatus[from] ?? { orderNumber: "" }
    const now = String(at(await saleOf(orderNumber), "status"))
    for (const to of statuses.filter((each) => !(edges[now] ?? []).includes(each))) {
      const { json, status } = await step(orderNumber, to, { amount: 1 })
      deepEqual([status, at(json, "code"), at(json, "data")], [409, "INVALID_TRANSITION", { from: now, to }])
    }
    equal(at(await saleOf(orderNumber), "status"), now)
  })
  return goes.concat(nowhereElse)
}

/** The edges of the table of transitions, and that there are no others. */
export const steps: ReadonlyArray<Fact> = [
  ...Object.entries(edges).flatMap(ofStatus),
  ...["pending_shipment", "cancellation_requested", "shipped", "delivered"].map((status) =>
    fact("Partial refunds", `a partial refund is allowed in ${status}`, async ({ ordered, saleOf, shop }) => {
      const order = await ordered(status)
      await answered(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 0.5 }))
      equal(numberAt(await saleOf(order), "refunded.amount"), 0.5)
    })
  ),
  ...["completed", "dispute_open", "cancelled_seller", "resolved_no_refund"].map((status) =>
    fact("Partial refunds", `a partial refund is refused in ${status}`, async ({ byStatus, shop }) => {
      const path = `POST /v1/sales/${byStatus[status]?.orderNumber}/refunds`
      await refused(shop.ask(path, { amount: 0.5 }), 409, "INVALID_STATUS")
    })
  ),
  fact("shipped (untracked)", "an untracked parcel needs no number, and closes by itself", async (world) => {
    const { buy, control, offer, party, seller, wait } = world
    const [me, to] = [await seller(), await party({ country: "AT" })]
    const rates = { shipping: [{ country: "AT", amount: 1, service: "untracked" }] }
    await answered(control(`PUT /sandbox/accounts/${me.id}/selling`, rates))
    const order = await buy(to, [await offer(me, 4)])
    await answered(me.ask(`POST /v1/sales/${order}/mark-shipped`, {}))
    const read = async () => answered(me.ask(`GET /v1/sales/${order}`))
    deepEqual([at(await read(), "status"), at(await read(), "shipping.trackingNumber")], ["shipped", null])
    await wait(30 * 86_400)
    equal(at(await read(), "status"), "completed")
  })
]
