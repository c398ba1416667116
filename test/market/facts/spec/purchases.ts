import { deepEqual, equal, notEqual, ok } from "node:assert/strict"
import { fact, fieldsOf, section } from "../Fact.ts"
import { answered, all, at, centsAt, sumOfCents } from "../reading/ask.ts"
import { currency, dateTime, eachOf, filled, listOf, money, nullOr, object, uri } from "../reading/kinds.ts"

const purchase = fieldsOf("a purchase", ({ purchases }) => purchases)
const detail = fieldsOf("a purchase's detail", ({ purchases }) => purchases)
const parcel = fieldsOf("a parcel", async ({ purchaseOf, byStatus, scan }) => {
  const { orderNumber } = byStatus["shipped"] ?? { orderNumber: "" }
  const scanned = await answered(scan(orderNumber, "in_transit", { carrier: "Post", location: "Lyon" }))
  equal(at(scanned, "status"), "shipped")
  return [...Object.values(byStatus).map((each) => each.purchase), await purchaseOf(orderNumber)].flatMap((it) =>
    all(it, "shipping").filter((shipping) => shipping !== null)
  )
})

/** A buyer's country and what it pays in; a seller's country and currency. */
const countries = [
  ["US", "USD", "US", "USD"],
  ["FR", "EUR", "DE", "EUR"],
  ["GB", "GBP", "DE", "EUR"],
  ["CA", "CAD", "US", "USD"],
  ["CH", "CHF", "DE", "EUR"]
] as const

export const purchaseRecords = [
  section("spec", "Purchase", [
    ...purchase(filled, "orderNumber status"),
    fact("orderNumber", "it finds the matching sale", async ({ byStatus, saleOf }) => {
      const { orderNumber } = byStatus["delivered"] ?? { orderNumber: "" }
      equal(at(await saleOf(orderNumber), "orderNumber"), orderNumber)
    }),
    fact("status", "buyer and seller read the same status", async ({ byStatus }) => {
      for (const [status, { purchase, sale }] of Object.entries(byStatus))
        deepEqual([at(purchase, "status"), at(sale, "status")], [status, status])
    }),
    ...purchase(dateTime, "placedAt updatedAt", "placedAt, updatedAt"),
    ...purchase(nullOr(dateTime), "shippedAt deliveredAt completedAt", "shippedAt, deliveredAt, completedAt"),
    ...purchase(currency, "currency"),
    ...countries.map(([to, currency, from, sells]) =>
      fact("currency", `a buyer in ${to} pays in ${currency}, and every amount is in it`, async (world) => {
        const { party, offer, buy } = world
        const buyer = await party({ country: to })
        const order = await buy(buyer, [await offer(await party({ country: from, currency: sells }), 7, {}, sells)])
        const { text } = await buyer.ask(`GET /v1/purchases/${order}`)
        deepEqual([...new Set(text.match(/"currency":"\w+"/g))], [`"currency":"${currency}"`])
      })
    ),
    ...purchase(listOf(object), "items"),
    ...purchase(money, "subtotal shippingAmount buyerFee tax total"),
    fact("subtotal", "it is the sum of the lines", async ({ purchases }) => {
      for (const each of purchases)
        equal(centsAt(each, "subtotal.amount"), sumOfCents(each, "items.*.lineTotal.amount"))
    }),
    fact("total", "it is all that is charged: items, shipping, tax and fee", async (world) => {
      const { purchases, party, offer, buy } = world
      const shop = await party({ country: "US", currency: "USD" })
      const american = await party({ country: "US" })
      const order = await buy(american, [await offer(shop, 19.99, {}, "USD")])
      const taxed = await answered(american.ask(`GET /v1/purchases/${order}`))
      ok(centsAt(taxed, "tax.amount") > 0)
      for (const each of [...purchases, taxed]) {
        const parts = ["subtotal", "shippingAmount", "buyerFee", "tax"].map((key) => centsAt(each, `${key}.amount`))
        equal(
          centsAt(each, "total.amount"),
          parts.reduce((sum, part) => sum + part, 0)
        )
      }
    }),
    ...purchase(object, "seller")
  ]),
  section("spec", "PurchaseDetail", [
    ...detail(object, "shippingAddress"),
    ...detail(nullOr(object), "shipping refund cancellation"),
    fact("shipping", "it is null before the seller ships", async ({ byStatus }) => {
      equal(at(byStatus["pending_shipment"]?.purchase, "shipping"), null)
      notEqual(at(byStatus["shipped"]?.purchase, "shipping"), null)
    }),
    fact("refund", "it is null unless money was returned", async ({ byStatus }) => {
      for (const status of ["shipped", "completed", "resolved_no_refund"])
        equal(at(byStatus[status]?.purchase, "refund"), null, status)
      ok(object.is(at(byStatus["resolved_full_refund"]?.purchase, "refund")))
    }),
    fact("cancellation", "it is null unless the order was cancelled", async ({ byStatus }) => {
      for (const [status, { purchase }] of Object.entries(byStatus))
        equal(at(purchase, "cancellation") !== null, status.startsWith("cancelled_"), status)
    }),
    ...parcel(filled, "trackingNumber"),
    ...parcel(nullOr(filled), "carrier status"),
    ...parcel(nullOr(uri), "trackingUrl"),
    ...parcel(nullOr(dateTime), "shippedAt deliveredAt"),
    ...parcel(nullOr(listOf(object)), "history"),
    fact(["status", "shippedAt", "history"], "the latest scan, the first, and all, oldest first", async (world) => {
      const { ordered, purchaseOf, scan, wait } = world
      const order = await ordered("shipped")
      const before = at(await purchaseOf(order), "shipping")
      deepEqual([at(before, "status"), at(before, "shippedAt"), at(before, "history")], [null, null, null])
      for (const status of ["accepted", "in_transit", "sorted"]) {
        await answered(scan(order, status))
        await wait(60)
      }
      const parcel = at(await purchaseOf(order), "shipping")
      deepEqual(all(parcel, "history.*.status"), ["accepted", "in_transit", "sorted"])
      const times = all(parcel, "history.*.occurredAt").map(String)
      deepEqual(times, times.toSorted())
      deepEqual([at(parcel, "status"), at(parcel, "shippedAt")], ["sorted", times[0]])
    }),
    fact("", "a refund has an amount, and refundedAt is null while it is pending", async (world) => {
      const { ordered, purchaseOf, shop, wait } = world
      const order = await ordered("shipped")
      await answered(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1.25 }))
      const pending = at(await purchaseOf(order), "refund")
      deepEqual(pending, { amount: { amount: 1.25, currency: "EUR" }, refundedAt: null })
      await wait(600)
      ok(dateTime.is(at(await purchaseOf(order), "refund.refundedAt")))
    }),
    ...detail(dateTime, "cancellation.cancelledAt", "cancelledAt"),
    ...detail(eachOf("buyer", "seller", "system"), "cancellation.cancelledBy", "cancelledBy"),
    fact("cancelledBy", "system is an automatic cancellation", async ({ byStatus }) => {
      const by = ["cancelled_buyer", "cancelled_seller", "cancelled_auto"].map((status) =>
        at(byStatus[status]?.purchase, "cancellation.cancelledBy")
      )
      deepEqual(by, ["buyer", "seller", "system"])
    }),
    ...detail(filled, "cancellation.reason", "reason"),
    fact("reason", "it is the code that the seller gave", async ({ byStatus }) => {
      equal(at(byStatus["cancelled_seller"]?.purchase, "cancellation.reason"), "item_damaged")
    }),
    ...detail(nullOr(filled), "cancellation.reasonText", "reasonText"),
    fact("reasonText", "it is the note that the seller gave", async ({ byStatus }) => {
      equal(at(byStatus["cancelled_seller"]?.purchase, "cancellation.reasonText"), "It got wet on the way")
    })
  ])
]
