import assert from "node:assert/strict"
import { fact, type Section } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { centsAt, sumOfCents } from "../reading/cents.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { currency, dateTime, eachOf, filled, listOf, money, nullOr, object, uri } from "../reading/kinds.ts"
import { all, at } from "../reading/paths.ts"

const purchase = fieldsOf("a purchase", ({ purchases }) => purchases)
const detail = fieldsOf("a purchase's detail", ({ purchases }) => purchases)
const parcel = fieldsOf("a parcel", async ({ purchaseOf, byStatus, scan }) => {
  const { orderNumber } = byStatus["shipped"] ?? { orderNumber: "" }
  const scanned = await answered(scan(orderNumber, "in_transit", { carrier: "Post", location: "Lyon" }))
  assert.equal(at(scanned, "status"), "shipped")
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

export const purchaseRecords: ReadonlyArray<Section> = [
  {
    document: "spec",
    heading: "Purchase",
    facts: [
      purchase("orderNumber", "orderNumber", filled),
      fact("orderNumber", "it finds the matching sale", async ({ byStatus, saleOf }) => {
        const { orderNumber } = byStatus["delivered"] ?? { orderNumber: "" }
        assert.equal(at(await saleOf(orderNumber), "orderNumber"), orderNumber)
      }),
      purchase("status", "status", filled),
      fact("status", "buyer and seller read the same status", async ({ byStatus }) => {
        for (const [status, { purchase, sale }] of Object.entries(byStatus))
          assert.deepEqual([at(purchase, "status"), at(sale, "status")], [status, status])
      }),
      purchase("placedAt, updatedAt", "placedAt", dateTime),
      purchase("placedAt, updatedAt", "updatedAt", dateTime),
      ...["shippedAt", "deliveredAt", "completedAt"].map((key) =>
        purchase("shippedAt, deliveredAt, completedAt", key, nullOr(dateTime))
      ),
      purchase("currency", "currency", currency),
      ...countries.map(([to, currency, from, sells]) =>
        fact(
          "currency",
          `a buyer in ${to} pays in ${currency}, and every amount is in it`,
          async ({ party, offer, buy }) => {
            const buyer = await party({ country: to })
            const order = await buy(buyer, [await offer(await party({ country: from, currency: sells }), 7, {}, sells)])
            const { text } = await buyer.ask(`GET /v1/purchases/${order}`)
            assert.deepEqual([...new Set(text.match(/"currency":"\w+"/g))], [`"currency":"${currency}"`])
          }
        )
      ),
      purchase("items", "items", listOf(object)),
      purchase("subtotal", "subtotal", money),
      fact("subtotal", "it is the sum of the lines", async ({ purchases }) => {
        for (const each of purchases)
          assert.equal(centsAt(each, "subtotal.amount"), sumOfCents(each, "items.*.lineTotal.amount"))
      }),
      ...["shippingAmount", "buyerFee", "tax", "total"].map((key) => purchase(key, key, money)),
      fact(
        "total",
        "it is all that is charged: items, shipping, tax and fee",
        async ({ purchases, party, offer, buy }) => {
          const shop = await party({ country: "US", currency: "USD" })
          const american = await party({ country: "US" })
          const order = await buy(american, [await offer(shop, 19.99, {}, "USD")])
          const taxed = await answered(american.ask(`GET /v1/purchases/${order}`))
          assert.ok(centsAt(taxed, "tax.amount") > 0)
          for (const each of [...purchases, taxed]) {
            const parts = ["subtotal", "shippingAmount", "buyerFee", "tax"].map((key) => centsAt(each, `${key}.amount`))
            assert.equal(
              centsAt(each, "total.amount"),
              parts.reduce((sum, part) => sum + part, 0)
            )
          }
        }
      ),
      purchase("seller", "seller", object)
    ]
  },
  {
    document: "spec",
    heading: "PurchaseDetail",
    facts: [
      detail("shippingAddress", "shippingAddress", object),
      detail("shipping", "shipping", nullOr(object)),
      fact("shipping", "it is null before the seller ships", async ({ byStatus }) => {
        assert.equal(at(byStatus["pending_shipment"]?.purchase, "shipping"), null)
        assert.notEqual(at(byStatus["shipped"]?.purchase, "shipping"), null)
      }),
      detail("refund", "refund", nullOr(object)),
      fact("refund", "it is null unless money was returned", async ({ byStatus }) => {
        for (const status of ["shipped", "completed", "resolved_no_refund"])
          assert.equal(at(byStatus[status]?.purchase, "refund"), null, status)
        assert.ok(object.is(at(byStatus["resolved_full_refund"]?.purchase, "refund")))
      }),
      detail("cancellation", "cancellation", nullOr(object)),
      fact("cancellation", "it is null unless the order was cancelled", async ({ byStatus }) => {
        for (const [status, { purchase }] of Object.entries(byStatus))
          assert.equal(at(purchase, "cancellation") !== null, status.startsWith("cancelled_"), status)
      }),
      parcel("trackingNumber", "trackingNumber", filled),
      parcel("carrier", "carrier", nullOr(filled)),
      parcel("trackingUrl", "trackingUrl", nullOr(uri)),
      parcel("status", "status", nullOr(filled)),
      parcel("shippedAt", "shippedAt", nullOr(dateTime)),
      parcel("deliveredAt", "deliveredAt", nullOr(dateTime)),
      parcel("history", "history", nullOr(listOf(object))),
      fact(
        ["status", "shippedAt", "history"],
        "status is the latest scan, shippedAt the first one, and the oldest scan comes first",
        async ({ ordered, purchaseOf, scan, wait }) => {
          const order = await ordered("shipped")
          const before = at(await purchaseOf(order), "shipping")
          assert.deepEqual([at(before, "status"), at(before, "shippedAt"), at(before, "history")], [null, null, null])
          for (const status of ["accepted", "in_transit", "sorted"]) {
            await answered(scan(order, status))
            await wait(60)
          }
          const parcel = at(await purchaseOf(order), "shipping")
          assert.deepEqual(all(parcel, "history.*.status"), ["accepted", "in_transit", "sorted"])
          const times = all(parcel, "history.*.occurredAt").map(String)
          assert.deepEqual(times, times.toSorted())
          assert.deepEqual([at(parcel, "status"), at(parcel, "shippedAt")], ["sorted", times[0]])
        }
      ),
      fact(
        "",
        "a refund has an amount, and refundedAt is null while it is pending",
        async ({ ordered, purchaseOf, shop, wait }) => {
          const order = await ordered("shipped")
          await answered(shop.ask(`POST /v1/sales/${order}/refunds`, { amount: 1.25 }))
          const pending = at(await purchaseOf(order), "refund")
          assert.deepEqual(pending, { amount: { amount: 1.25, currency: "EUR" }, refundedAt: null })
          await wait(600)
          assert.ok(dateTime.is(at(await purchaseOf(order), "refund.refundedAt")))
        }
      ),
      detail("cancelledAt", "cancellation.cancelledAt", dateTime),
      detail("cancelledBy", "cancellation.cancelledBy", eachOf("buyer", "seller", "system")),
      fact("cancelledBy", "system is an automatic cancellation", async ({ byStatus }) => {
        const by = ["cancelled_buyer", "cancelled_seller", "cancelled_auto"].map((status) =>
          at(byStatus[status]?.purchase, "cancellation.cancelledBy")
        )
        assert.deepEqual(by, ["buyer", "seller", "system"])
      }),
      detail("reason", "cancellation.reason", filled),
      fact("reason", "it is the code that the seller gave", async ({ byStatus }) => {
        assert.equal(at(byStatus["cancelled_seller"]?.purchase, "cancellation.reason"), "item_damaged")
      }),
      detail("reasonText", "cancellation.reasonText", nullOr(filled)),
      fact("reasonText", "it is the note that the seller gave", async ({ byStatus }) => {
        assert.equal(at(byStatus["cancelled_seller"]?.purchase, "cancellation.reasonText"), "It got wet on the way")
      })
    ]
  }
]
