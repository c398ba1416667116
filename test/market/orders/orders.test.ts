import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { suite } from "../../support/sandbox.ts"
import { ask, Served } from "../Served.ts"
import { sold } from "./Sold.ts"

suite(Served.layer())("an order", (it) => {
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

  it("is not shipped with metadata beyond the fiftieth key", function* () {
    const { params, sale, seller } = yield* sold()
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, "v"]))
    yield* seller.api.sales.changeMetadata({ params, payload: { metadata } })
    const payload = { trackingNumber: "WITH-METADATA", metadata: { one: "more" } }
    const refused = yield* Effect.flip(seller.api.sales.markShipped({ params, payload }))
    assert.deepInclude(refused, { code: "METADATA_LIMIT_EXCEEDED" })
    assert.deepInclude(yield* sale, { status: "pending_shipment", metadata })
  })

  it("keeps its own date when its metadata change, which null of no key does not", function* () {
    const { params, purchase, sale, seller } = yield* sold()
    const before = yield* purchase
    const metadata = { note: "", never: null }
    yield* seller.api.sales.changeMetadata({ params, payload: { metadata } })
    assert.deepEqual([yield* purchase, (yield* sale).metadata], [before, { note: "" }])
  })
})
