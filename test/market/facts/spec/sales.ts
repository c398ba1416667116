import { deepEqual, equal, ok } from "node:assert/strict"
import { fact, fieldsOf, section, type Fact } from "../Fact.ts"
import { readAt, all, at, centsAt, sumOfCents, answered, refused, keysAt } from "../reading/ask.ts"
import { currency, dateTime, filled, listOf, money, nullOr, number, object } from "../reading/kinds.ts"

const sale = fieldsOf("a sale", ({ sales }) => sales)

const taken = (rows: string, says: string, metadata: Readonly<Record<string, string>>): Fact =>
  fact(rows, says, async ({ ordered, saleOf, shop }) => {
    const order = await ordered("pending_shipment")
    await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata }))
    deepEqual(at(await saleOf(order), "metadata"), metadata)
  })

const notTaken = (rows: string, says: string, metadata: Readonly<Record<string, unknown>>, status = 400): Fact =>
  fact(rows, says, async ({ ordered, saleOf, shop }) => {
    const order = await ordered("pending_shipment")
    await refused(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata }), status)
    deepEqual(at(await saleOf(order), "metadata"), {})
  })

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, "v"]))

/** The numbered rules of a sale's metadata. */
const metadata: ReadonlyArray<Fact> = [
  taken("rule 1", "letters, digits, _, . and - are taken in a key", { "aZ9_.-": "1", B: "2" }),
  ...["1a", "_a", "-a", "a b", "a/b", "é", ""].map((key) =>
    notTaken("rule 1", `the key "${key}" is refused`, { [key]: "1" })
  ),
  taken("rule 2", "a key of 64 characters is taken", { ["k".repeat(64)]: "1" }),
  notTaken("rule 2", "a key of 65 characters is refused", { ["k".repeat(65)]: "1" }),
  taken("rule 3", "a value of 500 characters is taken, also if they are two UTF-16 units each", {
    a: "v".repeat(500),
    b: "🂡".repeat(500),
    c: ""
  }),
  notTaken("rule 3", "a value of 501 characters is refused", { a: "v".repeat(501) }),
  ...[1, true, {}, []].map((value) =>
    notTaken("rule 3", `the value ${JSON.stringify(value)} is refused`, { a: value })
  ),
  taken("rule 4", "50 keys are taken", numbered(50)),
  notTaken("rule 4", "51 keys are refused", numbered(51), 422),
  fact("rule 4", "a key beyond the fiftieth is refused, and nothing of the change is kept", async (world) => {
    const { ordered, saleOf, shop } = world
    const order = await ordered("pending_shipment")
    await answered(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: numbered(50) }))
    await refused(shop.ask(`PATCH /v1/sales/${order}/metadata`, { metadata: { k0: "new", more: "1" } }), 422)
    deepEqual(at(await saleOf(order), "metadata"), numbered(50))
  }),
  fact("rule 5", "the buyer reads no metadata", async ({ buyer, byStatus }) => {
    const { orderNumber } = byStatus["completed"] ?? { orderNumber: "" }
    const { text } = await buyer.ask(`GET /v1/purchases/${orderNumber}`)
    ok(!text.includes("metadata") && !text.includes("shelf"))
    ok(!keysAt(await answered(buyer.ask("GET /v1/purchases?limit=100")), "data.0").includes("metadata"))
  })
]

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
    fact("", "the event of a job says completed or failed", async ({ seller, imported, failed, eventsOf }) => {
      const me = await seller()
      await imported(me, "productId,finish,condition,language,quantity\n10007,Standard,NM,en,1\n")
      await failed(me)
      deepEqual(all(await eventsOf(me, "inventory.import.completed"), "*.data.status"), ["completed", "failed"])
    })
  ])
]

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
