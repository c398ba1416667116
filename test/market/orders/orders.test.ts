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
    const request = { key: seller.key, body: { trackingNumber: "PARCEL-0" } }
    yield* speak("live")
    const live = yield* ask(`/v1/sales/${params.orderNumber}/mark-shipped`, request)
    yield* speak("spec")
    assert.deepEqual([live.status, live.json.code], [409, "SHIPPING_MANAGED_BY_CARDNEXUS"])
    yield* scan("accepted")
    assert.strictEqual((yield* sale).status, "shipped")
  })

  it("keeps its own date when its metadata change, which null of no key does not", function* () {
    const { params, purchase, sale, seller } = yield* sold()
    const before = yield* purchase
    const metadata = { note: "", never: null }
    yield* seller.api.sales.changeMetadata({ params, payload: { metadata } })
    assert.deepEqual([yield* purchase, (yield* sale).metadata], [before, { note: "" }])
  })
})
