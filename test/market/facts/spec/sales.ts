import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, section } from "../Fact.ts"
import { readAt, all, at, centsAt, sumOfCents } from "../reading/ask.ts"
import { currency, dateTime, filled, listOf, money, nullOr, number, object } from "../reading/kinds.ts"
import { metadata } from "./metadata.ts"

const sale = fieldsOf("a sale", ({ sales }) => sales)

export const saleRecords = [
  section("spec", "Sale", [
    ...sale(filled, "orderNumber status"),
    fact("orderNumber", "sale and purchase share it", async ({ byStatus }) => {
      for (const { orderNumber, purchase, sale } of Object.values(byStatus))
        deepEqual([at(sale, "orderNumber"), at(purchase, "orderNumber")], [orderNumber, orderNumber])
    }),
    ...sale(dateTime, "placedAt updatedAt"),
    fact("updatedAt", "it moves when the order changes", async ({ ordered, reach, saleOf, shop, wait }) => {
      const order = await ordered("pending_shipment")
      const before = await saleOf(order)
      await wait(60)
      await reach(shop, order, "shipped")
      const after = await saleOf(order)
      ok(String(at(after, "updatedAt")) > String(at(before, "updatedAt")))
      equal(at(after, "placedAt"), at(before, "placedAt"))
    }),
    ...sale(nullOr(dateTime), "shippedAt deliveredAt completedAt payout.eligibleAt payout.paidOutAt"),
    fact("shippedAt", "it is null until the order is marked shipped", async ({ byStatus }) => {
      for (const status of ["pending_shipment", "cancellation_requested", "cancelled_seller"])
        equal(at(byStatus[status]?.sale, "shippedAt"), null, status)
      ok(dateTime.is(at(byStatus["shipped"]?.sale, "shippedAt")))
    }),
    fact("deliveredAt", "it is null until the order is delivered", async ({ byStatus }) => {
      equal(at(byStatus["shipped"]?.sale, "deliveredAt"), null)
      ok(dateTime.is(at(byStatus["delivered"]?.sale, "deliveredAt")))
    }),
    fact("completedAt", "it is null while the order is open", async ({ byStatus }) => {
      const open = [
        "pending_shipment",
        "cancellation_requested",
        "shipped",
        "delivered",
        "dispute_open",
        "dispute_escalated"
      ]
      for (const status of open) equal(at(byStatus[status]?.sale, "completedAt"), null, status)
      ok(dateTime.is(at(byStatus["completed"]?.sale, "completedAt")))
    }),
    ...sale(currency, "currency"),
    fact("currency", "it is the seller's, and that of every amount", async ({ sales }) => {
      for (const each of sales)
        deepEqual([...new Set(JSON.stringify(each).match(/"currency":"\w+"/g))], ['"currency":"EUR"'])
    }),
    fact("currency", "a seller in francs is paid in francs by a buyer in euros", async (world) => {
      const { party, offer, buy, buyer } = world
      const me = await party({ country: "DE", currency: "CHF" })
      const order = await buy(buyer, [await offer(me, 20, {}, "CHF")])
      equal(await readAt(me.ask(`GET /v1/sales/${order}`), "subtotal.currency"), "CHF")
      equal(await readAt(buyer.ask(`GET /v1/purchases/${order}`), "subtotal.currency"), "EUR")
    }),
    ...sale(listOf(object), "items"),
    ...sale(money, "subtotal shippingAmount sellerFee.amount"),
    fact("subtotal", "it is the sum of the lines", async ({ sales }) => {
      for (const each of sales) equal(centsAt(each, "subtotal.amount"), sumOfCents(each, "items.*.lineTotal.amount"))
    }),
    ...sale(number, "sellerFee.percentage"),
    fact("sellerFee", "5 means 5 % of what was sold", async ({ byStatus }) => {
      const sold = byStatus["shipped"]?.sale
      equal(at(sold, "sellerFee.percentage"), 5)
      equal(centsAt(sold, "sellerFee.amount.amount"), Math.round(centsAt(sold, "subtotal.amount") * 0.05))
    }),
    ...sale(nullOr(money), "payout.amount"),
    fact("payout", "it is null until calculated", async ({ byStatus }) => {
      equal(at(byStatus["pending_shipment"]?.sale, "payout.amount"), null)
    }),
    fact("payout", "it is items and shipping less the seller's fee", async ({ byStatus }) => {
      const sold = byStatus["completed"]?.sale
      const gross = centsAt(sold, "subtotal.amount") + centsAt(sold, "shippingAmount.amount")
      equal(centsAt(sold, "payout.amount.amount"), gross - centsAt(sold, "sellerFee.amount.amount"))
    }),
    fact("payout", "the premium of an insurance is taken off it", async (world) => {
      const { buy, buyer, offers, shop, reach, saleOf } = world
      const plain = await buy(buyer, offers)
      const insured = await buy(buyer, offers, { isInsured: true })
      for (const order of [plain, insured]) await reach(shop, order, "shipped")
      const [more, less] = [await saleOf(plain), await saleOf(insured)]
      ok(centsAt(less, "payout.amount.amount") < centsAt(more, "payout.amount.amount"))
      deepEqual(at(less, "sellerFee"), at(more, "sellerFee"))
    }),
    ...sale(object, "buyer shippingAddress metadata"),
    fact("metadata", "it is {} when there is none", async ({ byStatus }) => {
      deepEqual(at(byStatus["shipped"]?.sale, "metadata"), {})
      deepEqual(at(byStatus["completed"]?.sale, "metadata"), { shelf: "7" })
    }),
    ...metadata
  ]),
  section("spec", "OrderShippingAddress", [
    ...["recipientName", "line1", "city", "postalCode", "countryCode"].flatMap((key) =>
      sale(filled, `shippingAddress.${key}`, key)
    ),
    ...sale(nullOr(filled), "shippingAddress.line2", "line2"),
    ...sale(nullOr(filled), "shippingAddress.state", "state"),
    ...sale(nullOr(filled), "shippingAddress.phone", "phone"),
    fact("countryCode", "it is two capital letters", async ({ sales, purchases }) => {
      const codes = all([...sales, ...purchases], "*.shippingAddress.countryCode").filter((it) => it !== undefined)
      deepEqual([...new Set(codes)], ["FR"])
    }),
    fact("", "seller and buyer read the address that the buyer gave", async ({ byStatus }) => {
      const { purchase, sale } = byStatus["pending_shipment"] ?? {}
      const expected = {
        recipientName: "Ann Example",
        line1: "1 Rue du Port",
        line2: "Floor 2",
        city: "Lyon",
        state: "Rhône",
        postalCode: "69001",
        countryCode: "FR",
        phone: "+33 1 23 45 67 89"
      }
      deepEqual(at(sale, "shippingAddress"), expected)
      deepEqual(at(purchase, "shippingAddress"), expected)
    })
  ])
]
