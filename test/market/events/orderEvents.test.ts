import { assert } from "@effect/vitest"
import type { MarketEvent } from "../../../src/market/contract/events/MarketEvent.ts"
import { sold } from "../orders/Sold.ts"
import { Served } from "../Served.ts"
import { suite, values } from "../../support/sandbox.ts"

const told = <Type extends MarketEvent["type"]>(events: ReadonlyArray<MarketEvent>, type: Type) =>
  events.filter((event): event is Extract<MarketEvent, { type: Type }> => event.type === type)

suite(Served.layer())("the events of an order", (it) => {
  it("tell each side of a new order in its own words", function* () {
    const { buyer, orderNumber, purchase, sale, seller } = yield* sold({
      buyerCountry: "US",
      items: [{ price: 10, quantity: 2, customId: "shelf-3" }]
    })
    const { placedAt: createdAt } = yield* purchase
    const item = { productId: 10_007, name: "Ashen Warden", quantity: 2 }
    const [line] = (yield* sale).items
    const same = { orderNumber, status: "pending_shipment", itemCount: 2, createdAt }
    const [toSeller, toBuyer] = [yield* seller.events, yield* buyer.events]
    const [[seen], [bought]] = [told(toSeller, "order.created"), told(toBuyer, "order.created")]
    // 20 + 2.50 EUR; in USD 22 + 2.75 + 0.44 + 8 % of 24.75.
    const [eur, usd] = [{ currency: "EUR" }, { currency: "USD" }] as const
    const named = { inventoryId: line?.inventoryId, customId: "shelf-3" }
    assert.deepEqual([seen?.recipientRole, bought?.recipientRole], ["seller", "buyer"])
    assert.deepEqual(seen?.data, {
      ...same,
      ...eur,
      totalAmount: { amount: 22.5, ...eur },
      items: [{ ...item, unitPrice: { amount: 10, ...eur }, ...named }],
      counterparty: { username: (yield* sale).buyer.username, country: "US" }
    } as never)
    assert.deepEqual(bought?.data, {
      ...same,
      ...usd,
      totalAmount: { amount: 27.17, ...usd },
      items: [{ ...item, unitPrice: { amount: 11, ...usd } }],
      counterparty: { username: (yield* purchase).seller.username, country: "DE" }
    } as never)
    assert.notStrictEqual(seen?.eventId, bought?.eventId)
  })

  it("tell both sides of every status, from none to the last one, and only the seller of the metadata", function* () {
    const { buyer, params, scan, seller, step } = yield* sold()
    const payload = { trackingNumber: "EVENTFUL", metadata: { box: "9" } }
    yield* seller.api.sales.markShipped({ params, payload })
    yield* scan("delivered")
    yield* step("completed", { reason: "on_time" })
    for (const [events, metadata] of [
      [yield* seller.events, [{}, { box: "9" }, { box: "9" }, { box: "9" }]],
      [yield* buyer.events, [null, null, null, null]]
    ] as const) {
      const changes = values(
        told(events, "order.status.changed"),
        "data.previousStatus",
        "data.status",
        "data.reason",
        "data.metadata"
      )
      assert.deepEqual(changes, [
        [null, "pending_shipment", null, metadata[0]],
        ["pending_shipment", "shipped", null, metadata[1]],
        ["shipped", "delivered", null, metadata[2]],
        ["delivered", "completed", "on_time", metadata[3]]
      ])
    }
  })
})
