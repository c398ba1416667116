import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import type { FaultRule } from "../../../src/market/faults/FaultPlan.ts"
import { suite } from "../../support/sandbox.ts"
import { ask, Served } from "../Served.ts"
import { makePair, pass, sold } from "./Sold.ts"

const day = 86_400

suite(Served.layer())("an order", (it) => {
  it("is shipped, cancelled and refunded by its seller where the facts allow it, else INVALID_STATUS", function* () {
    const pair = yield* makePair()
    for (const status of OrderStatus.literals) {
      const order = yield* pair.order
      yield* order.reach(status)
      const before = yield* order.sale
      const calls = [
        [["pending_shipment", "cancellation_requested", "shipped", "delivered"], order.refund(0.01)],
        [["pending_shipment"], order.cancel],
        [["cancellation_requested"], order.ship()]
      ] as const
      let done = 0
      for (const [allowed, call] of calls as ReadonlyArray<
        readonly [ReadonlyArray<string>, Effect.Effect<unknown, unknown>]
      >) {
        if (allowed.includes(status)) {
          yield* Effect.orDie(call)
          done++
        } else {
          // A new order is cancelled by now.
          const now = status === "pending_shipment" ? "cancelled_seller" : status
          assert.deepInclude(yield* Effect.flip(call), { code: "INVALID_STATUS", data: { status: now } })
        }
      }
      if (done === 0) assert.deepEqual(yield* order.sale, before, "nothing that is refused leaves a trace")
    }
    yield* (yield* pair.order).ship()
  })

  it("that is not shipped is cancelled after 14 days, an unanswered request to cancel after 3", function* () {
    const pair = yield* makePair()
    const [idle, asked] = [yield* pair.order, yield* pair.order]
    yield* asked.step("cancellation_requested")
    yield* pass(3 * day + 60)
    assert.deepInclude((yield* asked.purchase).cancellation, { cancelledBy: "system", reason: "not_answered" })
    assert.strictEqual((yield* idle.sale).status, "pending_shipment")
    yield* pass(11 * day)
    assert.deepInclude((yield* idle.purchase).cancellation, { cancelledBy: "system", reason: "not_shipped" })
  })

  it("whose parcel the marketplace sends is shipped by its first scan, not by the seller", function* () {
    const { params, sale, scan, seller, ship } = yield* sold({ service: "managed" })
    assert.deepInclude(yield* Effect.flip(ship()), { code: "SHIPPING_MANAGED_BY_MARKETPLACE", status: 409 })
    const { speak } = yield* Served
    const asked = { key: seller.key, body: { trackingNumber: "PARCEL-0" } }
    yield* speak("live")
    const live = yield* ask(`/v1/sales/${params.orderNumber}/mark-shipped`, asked)
    yield* speak("spec")
    assert.deepEqual([live.status, live.json.code], [409, "SHIPPING_MANAGED_BY_CARDNEXUS"])
    yield* scan("accepted")
    assert.strictEqual((yield* sale).status, "shipped")
  })

  it("is scanned only on its way, has links of 2,048 characters, and notes of 10 to 500, however wide", function* () {
    const { params, scan, seller } = yield* sold()
    assert.deepInclude(yield* Effect.flip(scan("accepted")), { code: "INVALID_STATUS" })
    const noted = (reasonText: string) => ["cancel", { reason: "seller_other", reasonText }] as const
    const link = { trackingNumber: "12345", trackingUrl: `https://${"x".repeat(2048)}` }
    for (const [operation, body, expected] of [
      ["mark-shipped", link, 400],
      // Each is one character of two UTF-16 units.
      [...noted("🂡".repeat(9)), 400],
      [...noted("🂡".repeat(501)), 400],
      [...noted("🂡".repeat(500)), 200]
    ] as const) {
      const { status } = yield* ask(`/v1/sales/${params.orderNumber}/${operation}`, { key: seller.key, body })
      assert.strictEqual(status, expected, JSON.stringify(body).slice(0, 80))
    }
  })

  it("has metadata that are merged: an empty text is a value, and null of no key changes nothing", function* () {
    const { params, seller } = yield* sold()
    const change = (metadata: Readonly<Record<string, string | null>>) =>
      Effect.map(seller.api.sales.changeMetadata({ params, payload: { metadata } }), (sale) => sale.metadata)
    yield* change({ a: "1", b: "2" })
    assert.deepEqual(yield* change({ b: null, c: "", never: null }), { a: "1", c: "" })
    assert.deepEqual(yield* change({}), { a: "1", c: "" })
  })

  it("is not shipped with metadata beyond the fiftieth key", function* () {
    const { params, sale, seller } = yield* sold()
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, "v"]))
    yield* seller.api.sales.changeMetadata({ params, payload: { metadata } })
    const payload = { trackingNumber: "WITH-METADATA", metadata: { one: "more" } }
    const refused = yield* Effect.flip(seller.api.sales.markShipped({ params, payload }))
    assert.deepInclude(refused, { code: "METADATA_LIMIT_EXCEEDED" })
    assert.deepInclude(yield* sale, { status: "pending_shipment", metadata })
  })

  it("never shows its metadata to the buyer, and keeps its own date when they change", function* () {
    const { buyer, params, purchase, reach, seller } = yield* sold()
    yield* reach("cancelled_auto")
    const before = yield* purchase
    yield* seller.api.sales.changeMetadata({ params, payload: { metadata: { note: "never-seen" } } })
    assert.deepEqual(yield* purchase, before)
    const seen = [yield* buyer.api.purchases.purchases({ query: {} }), yield* buyer.events]
    assert.notInclude(JSON.stringify(seen), "never-seen")
  })
})

/** The payment service fails the first refund; the answer to the third one is lost. */
const rules: ReadonlyArray<FaultRule> = [
  { kind: "server-error", endpoint: "refunds", status: 502, at: [1] },
  { kind: "reset", endpoint: "refunds", at: [3] }
]

suite(Served.layer({ faults: { rules } }))("a refund", (it) => {
  it("that the payment service fails is not made, one whose answer is lost is, and both can be sent again", function* () {
    const order = yield* sold()
    const path = `/v1/sales/${order.orderNumber}/refunds`
    const refund = (once: string) =>
      ask(path, { key: order.seller.key, headers: { "idempotency-key": once }, body: { amount: 2 } })
    const refunded = Effect.map(order.sale, (sale) => sale.refunded.amount)
    const failed = yield* refund("first")
    assert.deepEqual([failed.status, failed.json.code, failed.json.status], [502, "BAD_GATEWAY", 502])
    assert.isNotNull(failed.headers.get("x-request-id"))
    assert.strictEqual(yield* refunded, 0)
    assert.strictEqual((yield* refund("first")).status, 200)
    assert.strictEqual(yield* refunded, 2)
    yield* pass(60)
    assert.isTrue(Exit.isFailure(yield* Effect.exit(refund("second"))))
    assert.strictEqual(yield* refunded, 4)
    assert.strictEqual((yield* refund("second")).status, 200)
    assert.strictEqual(yield* refunded, 4)
  })
})
