import assert from "node:assert/strict"
import { fact, type Section } from "../Fact.ts"
import { answered } from "../reading/ask.ts"
import { centsAt, sumOfCents } from "../reading/cents.ts"
import { fieldsOf } from "../reading/fieldsOf.ts"
import { currency, dateTime, filled, listOf, money, nullOr, number, object } from "../reading/kinds.ts"
import { all, at } from "../reading/paths.ts"
import { metadata } from "./metadata.ts"

const sale = fieldsOf("a sale", ({ sales }) => sales)

export const saleRecords: ReadonlyArray<Section> = [
  {
    document: "spec",
    heading: "Sale",
    facts: [
      sale("orderNumber", "orderNumber", filled),
      fact("orderNumber", "sale and purchase share it", async ({ byStatus }) => {
        for (const { orderNumber, purchase, sale } of Object.values(byStatus))
          assert.deepEqual([at(sale, "orderNumber"), at(purchase, "orderNumber")], [orderNumber, orderNumber])
      }),
      sale("status", "status", filled),
      sale("placedAt", "placedAt", dateTime),
      sale("updatedAt", "updatedAt", dateTime),
      fact("updatedAt", "it moves when the order changes", async ({ ordered, reach, saleOf, shop, wait }) => {
        const order = await ordered("pending_shipment")
        const before = await saleOf(order)
        await wait(60)
        await reach(shop, order, "shipped")
        const after = await saleOf(order)
        assert.ok(String(at(after, "updatedAt")) > String(at(before, "updatedAt")))
        assert.equal(at(after, "placedAt"), at(before, "placedAt"))
      }),
      sale("shippedAt", "shippedAt", nullOr(dateTime)),
      fact("shippedAt", "it is null until the order is marked shipped", async ({ byStatus }) => {
        for (const status of ["pending_shipment", "cancellation_requested", "cancelled_seller"])
          assert.equal(at(byStatus[status]?.sale, "shippedAt"), null, status)
        assert.ok(dateTime.is(at(byStatus["shipped"]?.sale, "shippedAt")))
      }),
      sale("deliveredAt", "deliveredAt", nullOr(dateTime)),
      fact("deliveredAt", "it is null until the order is delivered", async ({ byStatus }) => {
        assert.equal(at(byStatus["shipped"]?.sale, "deliveredAt"), null)
        assert.ok(dateTime.is(at(byStatus["delivered"]?.sale, "deliveredAt")))
      }),
      sale("completedAt", "completedAt", nullOr(dateTime)),
      fact("completedAt", "it is null while the order is open", async ({ byStatus }) => {
        const open = [
          "pending_shipment",
          "cancellation_requested",
          "shipped",
          "delivered",
          "dispute_open",
          "dispute_escalated"
        ]
        for (const status of open) assert.equal(at(byStatus[status]?.sale, "completedAt"), null, status)
        assert.ok(dateTime.is(at(byStatus["completed"]?.sale, "completedAt")))
      }),
      sale("currency", "currency", currency),
      fact("currency", "it is the seller's, and that of every amount", async ({ sales }) => {
        for (const each of sales)
          assert.deepEqual([...new Set(JSON.stringify(each).match(/"currency":"\w+"/g))], ['"currency":"EUR"'])
      }),
      fact(
        "currency",
        "a seller in francs is paid in francs by a buyer in euros",
        async ({ party, offer, buy, buyer }) => {
          const me = await party({ country: "DE", currency: "CHF" })
          const order = await buy(buyer, [await offer(me, 20, {}, "CHF")])
          assert.equal(at(await answered(me.ask(`GET /v1/sales/${order}`)), "subtotal.currency"), "CHF")
          assert.equal(at(await answered(buyer.ask(`GET /v1/purchases/${order}`)), "subtotal.currency"), "EUR")
        }
      ),
      sale("items", "items", listOf(object)),
      sale("subtotal", "subtotal", money),
      fact("subtotal", "it is the sum of the lines", async ({ sales }) => {
        for (const each of sales)
          assert.equal(centsAt(each, "subtotal.amount"), sumOfCents(each, "items.*.lineTotal.amount"))
      }),
      sale("shippingAmount", "shippingAmount", money),
      sale("sellerFee", "sellerFee.percentage", number),
      sale("sellerFee", "sellerFee.amount", money),
      fact("sellerFee", "5 means 5 % of what was sold", async ({ byStatus }) => {
        const sold = byStatus["shipped"]?.sale
        assert.equal(at(sold, "sellerFee.percentage"), 5)
        assert.equal(centsAt(sold, "sellerFee.amount.amount"), Math.round(centsAt(sold, "subtotal.amount") * 0.05))
      }),
      sale("payout", "payout.amount", nullOr(money)),
      sale("payout", "payout.eligibleAt", nullOr(dateTime)),
      sale("payout", "payout.paidOutAt", nullOr(dateTime)),
      fact("payout", "it is null until calculated", async ({ byStatus }) => {
        assert.equal(at(byStatus["pending_shipment"]?.sale, "payout.amount"), null)
      }),
      fact("payout", "it is items and shipping less the seller's fee", async ({ byStatus }) => {
        const sold = byStatus["completed"]?.sale
        const gross = centsAt(sold, "subtotal.amount") + centsAt(sold, "shippingAmount.amount")
        assert.equal(centsAt(sold, "payout.amount.amount"), gross - centsAt(sold, "sellerFee.amount.amount"))
      }),
      fact(
        "payout",
        "the premium of an insurance is taken off it",
        async ({ buy, buyer, offers, shop, reach, saleOf }) => {
          const plain = await buy(buyer, offers)
          const insured = await buy(buyer, offers, { isInsured: true })
          for (const order of [plain, insured]) await reach(shop, order, "shipped")
          const [more, less] = [await saleOf(plain), await saleOf(insured)]
          assert.ok(centsAt(less, "payout.amount.amount") < centsAt(more, "payout.amount.amount"))
          assert.deepEqual(at(less, "sellerFee"), at(more, "sellerFee"))
        }
      ),
      sale("buyer", "buyer", object),
      sale("shippingAddress", "shippingAddress", object),
      sale("metadata", "metadata", object),
      fact("metadata", "it is {} when there is none", async ({ byStatus }) => {
        assert.deepEqual(at(byStatus["shipped"]?.sale, "metadata"), {})
        assert.deepEqual(at(byStatus["completed"]?.sale, "metadata"), { shelf: "7" })
      }),
      ...metadata
    ]
  },
  {
    document: "spec",
    heading: "OrderShippingAddress",
    facts: [
      ...["recipientName", "line1", "city", "postalCode", "countryCode"].map((key) =>
        sale(key, `shippingAddress.${key}`, filled)
      ),
      ...["line2", "state", "phone"].map((key) => sale(key, `shippingAddress.${key}`, nullOr(filled))),
      fact("countryCode", "it is two capital letters", async ({ sales, purchases }) => {
        const codes = all([...sales, ...purchases], "*.shippingAddress.countryCode").filter((it) => it !== undefined)
        assert.deepEqual([...new Set(codes)], ["FR"])
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
        assert.deepEqual(at(sale, "shippingAddress"), expected)
        assert.deepEqual(at(purchase, "shippingAddress"), expected)
      })
    ]
  }
]
