import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { makePair, pass, sold } from "./Sold.ts"

layer(Served.layer())("a parcel", (it) => {
  it.effect("is null before it is sent, then has its number, link and scans, oldest first", () =>
    Effect.gen(function* () {
      const { params, purchase, sale, scan, seller } = yield* sold()
      assert.isNull((yield* purchase).shipping)
      const payload = { trackingNumber: "AB-12_cd", trackingUrl: "https://track.example/AB", metadata: { box: "3" } }
      const shipped = yield* seller.api.sales.markShipped({ params, payload })
      assert.deepInclude(shipped, { status: "shipped", metadata: { box: "3" } })
      assert.deepStrictEqual(shipped.shipping, {
        trackingNumber: "AB-12_cd",
        carrier: null,
        trackingUrl: "https://track.example/AB",
        status: null,
        shippedAt: null,
        deliveredAt: null,
        history: null
      })
      yield* scan("accepted", { location: "Berlin", carrier: "Post" })
      yield* pass(3600)
      yield* scan("delivered", { description: "Left at the door" })
      const { deliveredAt, shipping, status } = yield* purchase
      assert.strictEqual(status, "delivered")
      assert.deepStrictEqual(
        shipping?.history?.map(({ occurredAt: _at, ...rest }) => rest),
        [
          { status: "accepted", location: "Berlin", description: null },
          { status: "delivered", location: null, description: "Left at the door" }
        ]
      )
      const [first, second] = shipping?.history?.map(({ occurredAt }) => Date.parse(occurredAt)) ?? []
      assert.isAtLeast((second ?? 0) - (first ?? 0), 3_600_000)
      assert.deepInclude(shipping, {
        carrier: "Post",
        status: "delivered",
        shippedAt: shipping?.history?.[0]?.occurredAt,
        deliveredAt
      } as never)
      assert.deepStrictEqual((yield* sale).shipping, shipping)
    })
  )

  it.effect("that is tracked needs a number that the carrier does not know yet", () =>
    Effect.gen(function* () {
      const { order } = yield* makePair()
      const [one, two] = [yield* order, yield* order]
      const plain = one.seller.api.sales.markShipped({ params: one.params, payload: {} })
      assert.deepInclude(yield* Effect.flip(plain), { code: "TRACKING_NUMBER_REQUIRED" })
      yield* one.ship("TWICE-USED")
      assert.deepInclude(yield* Effect.flip(two.ship("TWICE-USED")), { code: "TRACKING_REGISTRATION_FAILED" })
      assert.strictEqual((yield* two.sale).status, "pending_shipment")
    })
  )

  it.effect("that is untracked goes without a number", () =>
    Effect.gen(function* () {
      const { params, seller } = yield* sold({ service: "untracked" })
      const { shipping } = yield* seller.api.sales.markShipped({ params, payload: {} })
      assert.isNull(shipping?.trackingNumber)
    })
  )

  it.effect("that the marketplace sends itself is shipped by its first scan, not by the seller", () =>
    Effect.gen(function* () {
      const { params, sale, scan, seller, ship } = yield* sold({ service: "managed" })
      assert.deepInclude(yield* Effect.flip(ship()), { code: "SHIPPING_MANAGED_BY_MARKETPLACE", status: 409 })
      const { speak } = yield* Served
      const asked = { key: seller.key, body: { trackingNumber: "PARCEL-0" } }
      yield* speak("live")
      const live = yield* ask(`/v1/sales/${params.orderNumber}/mark-shipped`, asked)
      yield* speak("spec")
      assert.deepStrictEqual([live.status, live.json.code], [409, "SHIPPING_MANAGED_BY_CARDNEXUS"])
      yield* scan("accepted")
      assert.strictEqual((yield* sale).status, "shipped")
    })
  )

  it.effect("is scanned only on its way", () =>
    Effect.gen(function* () {
      const { scan } = yield* sold()
      assert.deepInclude(yield* Effect.flip(scan("accepted")), { code: "INVALID_STATUS" })
    })
  )

  it.effect("has a number of 5 to 50 letters, digits, - and _, and an https link", () =>
    Effect.gen(function* () {
      const { params, seller } = yield* sold()
      const bad = [
        { trackingNumber: "1234" },
        { trackingNumber: "1".repeat(51) },
        { trackingNumber: "AB 123" },
        { trackingNumber: "12345", trackingUrl: "http://track.example" },
        { trackingNumber: "12345", trackingUrl: `https://${"x".repeat(2048)}` }
      ]
      for (const body of bad) {
        const { status } = yield* ask(`/v1/sales/${params.orderNumber}/mark-shipped`, { key: seller.key, body })
        assert.strictEqual(status, 400, JSON.stringify(body))
      }
      const reasons = [
        { reason: "bored", reasonText: "Ten letters" },
        { reason: "seller_other", reasonText: "Too short" },
        { reason: "seller_other", reasonText: "🂡🂢🂣🂤🂥🂦🂧🂨🂩" },
        { reason: "seller_other", reasonText: "🂡".repeat(501) }
      ]
      for (const body of reasons) {
        const { status } = yield* ask(`/v1/sales/${params.orderNumber}/cancel`, { key: seller.key, body })
        assert.strictEqual(status, 400, JSON.stringify(body))
      }
      for (const amount of [0, -1, 1.001, "1"]) {
        const { status } = yield* ask(`/v1/sales/${params.orderNumber}/refunds`, { key: seller.key, body: { amount } })
        assert.strictEqual(status, 400, String(amount))
      }
      // As many characters, which are two UTF-16 units each.
      const longest = { reason: "seller_other", reasonText: "🂡".repeat(500) }
      const taken = yield* ask(`/v1/sales/${params.orderNumber}/cancel`, { key: seller.key, body: longest })
      assert.strictEqual(taken.status, 200)
    })
  )
})
