import { deepEqual, equal, ok } from "node:assert/strict"
import { type Fact, fact, fieldsOf, once, section, untried } from "../Fact.ts"
import { answered, readAll, readList, refused, all, at, centsAt, keysAt, textAt, numberAt } from "../reading/ask.ts"
import { dateTime, filled, just, money, nullOr } from "../reading/kinds.ts"
import { statuses } from "../world/orders.ts"

const sale = fieldsOf("a sale", ({ sales }) => sales)
const scan = fieldsOf(
  "a scan",
  once(async ({ ordered, purchaseOf, scan }) => {
    const order = await ordered("shipped")
    await answered(scan(order, "accepted", { location: "Bonn" }))
    await answered(scan(order, "in_transit", { description: "On a train" }))
    return all(await purchaseOf(order), "shipping.history.*")
  })
)
const cancelled = { reason: "pricing_error", reasonText: "Ten letters" }

const bad: ReadonlyArray<readonly [operation: string, says: string, body: object]> = [
  ["mark-shipped", "a number of 4 characters", { trackingNumber: "1234" }],
  ["mark-shipped", "a number of 51 characters", { trackingNumber: "1".repeat(51) }],
  ["mark-shipped", "a number with a space", { trackingNumber: "AB 123" }],
  ["mark-shipped", "an address that is not https", { trackingNumber: "12345", trackingUrl: "http://track.example" }],
  ["mark-shipped", "a metadata key that is none", { trackingNumber: "12345", metadata: { "1": "x" } }],
  ["cancel", "a reason that is none", { reason: "bored", reasonText: "Ten letters" }],
  ["cancel", "no reason", { reasonText: "Ten letters" }],
  ["cancel", "a note of 9 characters", { reason: "seller_other", reasonText: "Nine char" }],
  ["cancel", "a note of 501 characters", { reason: "seller_other", reasonText: "x".repeat(501) }],
  ["refunds", "nothing", { amount: 0 }],
  ["refunds", "less than nothing", { amount: -1 }],
  ["refunds", "three decimals", { amount: 1.001 }],
  ["refunds", "a text", { amount: "1" }]
]

const ofList = (path: string, side: "shop" | "buyer"): ReadonlyArray<Fact> => [
  fact(`GET ${path}`, `${path}: newest first`, async (world) => {
    const times = (await readAll(world[side].ask(`GET ${path}?limit=100`), "data.*.placedAt")).map(String)
    ok(times.length > 15)
    deepEqual(times, times.toSorted().toReversed())
  }),
  fact(`GET ${path}`, `${path}: status finds any of those asked`, async (world) => {
    const page = await answered(world[side].ask(`GET ${path}?limit=100&status=resolved_return&status=cancelled_buyer`))
    deepEqual(new Set(all(page, "data.*.status")), new Set(["resolved_return", "cancelled_buyer"]))
    await refused(world[side].ask(`GET ${path}?status=lost`), 400)
  }),
  fact(`GET ${path}`, `${path}: placedFrom and placedTo are both included`, async (world) => {
    const order = world.byStatus["shipped"]
    const placed = encodeURIComponent(textAt(order?.sale, "placedAt"))
    const numbers = async (query: string) =>
      await readAll(world[side].ask(`GET ${path}?limit=100&${query}`), "data.*.orderNumber")
    ok((await numbers(`placedFrom=${placed}&placedTo=${placed}`)).includes(order?.orderNumber))
    const [from, to] = [await numbers(`placedFrom=${placed}`), await numbers(`placedTo=${placed}`)]
    ok(from.includes(order?.orderNumber) && to.includes(order?.orderNumber))
    ok(from.length + to.length > (await numbers("")).length)
    await refused(world[side].ask(`GET ${path}?placedFrom=yesterday`), 400)
  })
]

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
const steps: ReadonlyArray<Fact> = [
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
    const { buy, offer, party, seller, shipTo, wait } = world
    const [me, to] = [await seller(), await party({ country: "AT" })]
    await shipTo(me, "AT", "untracked")
    const order = await buy(to, [await offer(me, 4)])
    await answered(me.ask(`POST /v1/sales/${order}/mark-shipped`, {}))
    const read = async () => answered(me.ask(`GET /v1/sales/${order}`))
    deepEqual([at(await read(), "status"), at(await read(), "shipping.trackingNumber")], ["shipped", null])
    await wait(30 * 86_400)
    equal(at(await read(), "status"), "completed")
  })
]

export const orders = section("beyond", "12. Sales and purchases", [
  ...ofList("/v1/sales", "shop"),
  ...ofList("/v1/purchases", "buyer"),
  fact("GET /v1/sales", "metadata finds sales that have all pairs, up to 10", async ({ ordered, shop }) => {
    const order = await ordered("pending_shipment")
    await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: { "erp.id": "1", b: "a b&c" } }))
    const found = async (query: string) => await readAll(shop.ask(`GET /v1/sales?${query}`), "data.*.orderNumber")
    deepEqual(await found("metadata[erp.id]=1&metadata[b]=a%20b%26c"), [order])
    deepEqual(await found("metadata[erp.id]=1&metadata[b]=3"), [])
    deepEqual(await found(`metadata=${encodeURIComponent('{"erp.id":"1"}')}`), [order])
    await refused(shop.ask("GET /v1/sales?metadata=erp.id"), 400)
    const eleven = Array.from({ length: 11 }, (_, number) => `metadata[k${number}]=1`).join("&")
    await refused(shop.ask(`GET /v1/sales?${eleven}`), 400)
  }),
  fact("GET /v1/sales/{orderNumber}", "it adds shipping and cancellation to the list's", async (world) => {
    const { shop, byStatus, saleOf } = world
    const { orderNumber } = byStatus["cancelled_seller"] ?? { orderNumber: "" }
    const detail = await saleOf(orderNumber)
    const listed = (await readList(shop.ask("GET /v1/sales?limit=100&status=cancelled_seller"), "data")).find(
      (each) => at(each, "orderNumber") === orderNumber
    )
    deepEqual(keysAt(detail, ""), [...keysAt(listed, ""), "cancellation", "shipping"].toSorted())
    equal(at(detail, "cancellation.cancelledBy"), "seller")
    equal(at(byStatus["shipped"]?.sale, "cancellation"), null)
  }),
  fact("", "another party's order number is a 404", async ({ party, byStatus, shop, buyer }) => {
    const other = await party()
    const order = byStatus["shipped"]?.orderNumber
    for (const path of [`sales/${order}`, `purchases/${order}`]) await refused(other.ask(`GET /v1/${path}`), 404)
    await refused(shop.ask(`GET /v1/purchases/${order}`), 404)
    await refused(buyer.ask(`GET /v1/sales/${order}`), 404)
    await refused(other.ask(`POST /v1/sales/${order}/cancel`, cancelled), 404)
  }),
  fact("POST /v1/sales/{orderNumber}/mark-shipped", "number, address and metadata are kept", async (world) => {
    const { ordered, shop, saleOf } = world
    const order = await ordered("pending_shipment")
    const body = { trackingNumber: "AB-12_cd", trackingUrl: "https://track.example/AB", metadata: { box: "3" } }
    await answered(shop.ask(`POST /v1/sales/${order}/mark-shipped`, body))
    const found = await saleOf(order)
    deepEqual([at(found, "status"), at(found, "metadata")], ["shipped", { box: "3" }])
    deepEqual(
      [at(found, "shipping.trackingNumber"), at(found, "shipping.trackingUrl")],
      ["AB-12_cd", "https://track.example/AB"]
    )
  }),
  ...bad.map(([operation, says, body]) =>
    fact(`POST /v1/sales/{orderNumber}/${operation}`, `${says} is refused`, async ({ shop, byStatus }) => {
      await refused(shop.ask(`POST /v1/sales/${byStatus["pending_shipment"]?.orderNumber}/${operation}`, body), 400)
    })
  ),
  ...["item_unavailable", "item_damaged", "pricing_error", "seller_other"].map((reason) =>
    fact("POST /v1/sales/{orderNumber}/cancel", `${reason} is a reason`, async ({ ordered, shop, saleOf }) => {
      const order = await ordered("pending_shipment")
      await answered(shop.ask(`POST /v1/sales/${order}/cancel`, { ...cancelled, reason }))
      deepEqual(
        [at(await saleOf(order), "status"), at(await saleOf(order), "cancellation.reason")],
        ["cancelled_seller", reason]
      )
    })
  ),
  fact("POST /v1/sales/{orderNumber}/refunds", "the whole is refused, and refunded adds up", async (world) => {
    const { ordered, shop, saleOf, wait } = world
    const order = await ordered("shipped")
    const refund = (amount: number) => shop.ask(`POST /v1/sales/${order}/refunds`, { amount })
    const sale = await saleOf(order)
    const whole = centsAt(sale, "subtotal.amount") + centsAt(sale, "shippingAmount.amount")
    await refused(refund(whole / 100), 409, "AMOUNT_TOO_HIGH")
    await answered(refund(1.1))
    await wait(600)
    await answered(refund(2.2))
    deepEqual(at(await saleOf(order), "refunded"), { amount: 3.3, currency: "EUR" })
  }),
  fact("PATCH /v1/sales/{orderNumber}/metadata", "it is merged, and null removes a key", async (world) => {
    const { ordered, shop, saleOf } = world
    const order = await ordered("pending_shipment")
    const patch = (metadata: object) => answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata }))
    await patch({ a: "1", b: "2" })
    await patch({ b: null, c: "3" })
    deepEqual(at(await saleOf(order), "metadata"), { a: "1", c: "3" })
  }),
  fact("PATCH /v1/sales/{orderNumber}/metadata", "it is allowed in any status", async ({ byStatus, shop }) => {
    for (const { orderNumber } of Object.values(byStatus))
      await answered(shop.ask(`PATCH /v1/sales/${orderNumber}/metadata`, { metadata: { a: "1" } }))
  }),
  ...sale(money, "refunded", ""),
  ...scan(filled, "status", ""),
  ...scan(dateTime, "occurredAt", ""),
  ...scan(nullOr(just("Bonn")), "location", ""),
  ...scan(nullOr(just("On a train")), "description", ""),
  fact("", "there are fifteen statuses, and no other", async ({ byStatus }) => {
    equal(statuses.length, 15)
    for (const status of statuses) equal(at(byStatus[status]?.sale, "status"), status)
  }),
  ...steps,
  untried("", "shipping.type, shippingService, untrackedCloseAt", "fields of the client alone")
])
