import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { MarketEvent } from "../../../src/market/contract/events/MarketEvent.ts"
import { sold } from "../orders/Sold.ts"
import { Served } from "../Served.ts"
import { control } from "../Trader.ts"

const told = (events: ReadonlyArray<MarketEvent>, type: MarketEvent["type"]) =>
  events.filter((event) => event.type === type)
const facts = (events: ReadonlyArray<MarketEvent>, type: MarketEvent["type"]) =>
  told(events, type).map(({ eventId: _id, timestamp: _at, ...rest }) => rest as unknown)
const statuses = (events: ReadonlyArray<MarketEvent>) =>
  events.flatMap((event) =>
    event.type === "order.status.changed" ? [[event.data.previousStatus, event.data.status, event.data.reason]] : []
  )

layer(Served.layer())("the events of an order", (it) => {
  it.effect("tell each side of a new order in its own words", () =>
    Effect.gen(function* () {
      const { buyer, orderNumber, purchase, sale, seller } = yield* sold({
        buyerCountry: "US",
        items: [{ price: 10, quantity: 2, customId: "shelf-3" }]
      })
      const { placedAt: createdAt } = yield* purchase
      const item = { productId: 10_007, name: "Ashen Warden", quantity: 2 }
      const [line] = (yield* sale).items
      const same = { orderNumber, status: "pending_shipment", itemCount: 2, createdAt }
      const [toSeller, toBuyer] = [yield* seller.events, yield* buyer.events]
      // 20 + 2.50 EUR; in USD 22 + 2.75 + 0.44 + 8 % of 24.75.
      assert.deepStrictEqual(facts(toSeller, "order.created"), [
        {
          type: "order.created",
          recipientRole: "seller",
          data: {
            ...same,
            currency: "EUR",
            totalAmount: { amount: 22.5, currency: "EUR" },
            items: [
              {
                ...item,
                unitPrice: { amount: 10, currency: "EUR" },
                inventoryId: line?.inventoryId,
                customId: "shelf-3"
              }
            ],
            counterparty: { username: (yield* sale).buyer.username, country: "US" }
          }
        }
      ])
      assert.deepStrictEqual(facts(toBuyer, "order.created"), [
        {
          type: "order.created",
          recipientRole: "buyer",
          data: {
            ...same,
            currency: "USD",
            totalAmount: { amount: 27.17, currency: "USD" },
            items: [{ ...item, unitPrice: { amount: 11, currency: "USD" } }],
            counterparty: { username: (yield* purchase).seller.username, country: "DE" }
          }
        }
      ])
      const [one, two] = [told(toSeller, "order.created")[0]?.eventId, told(toBuyer, "order.created")[0]?.eventId]
      assert.notStrictEqual(one, two)
    })
  )

  it.effect("tell both sides of every status, from none to the last one, and only the seller of the metadata", () =>
    Effect.gen(function* () {
      const { buyer, params, scan, seller, step } = yield* sold()
      const payload = { trackingNumber: "EVENTFUL", metadata: { box: "9" } }
      yield* seller.api.sales.markShipped({ params, payload })
      yield* scan("delivered")
      yield* step("completed", { reason: "on_time" })
      const life = [
        [null, "pending_shipment", null],
        ["pending_shipment", "shipped", null],
        ["shipped", "delivered", null],
        ["delivered", "completed", "on_time"]
      ]
      for (const party of [seller, buyer]) {
        assert.deepStrictEqual(statuses(yield* party.events), life as never)
      }
      const metadata = (events: ReadonlyArray<MarketEvent>) =>
        events.flatMap((event) => (event.type === "order.status.changed" ? [event.data.metadata] : []))
      assert.deepStrictEqual(metadata(yield* seller.events), [{}, { box: "9" }, { box: "9" }, { box: "9" }])
      assert.deepStrictEqual(metadata(yield* buyer.events), [null, null, null, null])
    })
  )

  it.effect("tell only the seller about each change of the balance", () =>
    Effect.gen(function* () {
      const { buyer, reach, seller } = yield* sold()
      yield* reach("completed")
      const eur = (amount: number) => ({ amount, currency: "EUR" })
      const balances = told(yield* seller.events, "balance.updated").map(({ data, timestamp }) => ({ data, timestamp }))
      assert.deepStrictEqual(
        balances,
        [
          [0, 21.5],
          [21.5, 0]
        ].map(([available = 0, pending = 0], at) => {
          const timestamp = balances[at]?.timestamp
          return { data: { available: eur(available), pending: eur(pending), updatedAt: timestamp }, timestamp }
        }) as never
      )
      assert.deepStrictEqual(told(yield* buyer.events, "balance.updated"), [])
    })
  )

  it.effect("tell the other side of a message, without its text", () =>
    Effect.gen(function* () {
      const { buyer, orderNumber, params, purchase, seller } = yield* sold()
      const { controlOrders } = yield* control
      const { messageId } = yield* controlOrders.message({ params, payload: { from: "seller", hasAttachments: true } })
      const [message] = facts(yield* buyer.events, "message.received")
      assert.deepStrictEqual(message, {
        type: "message.received",
        data: {
          threadId: `${orderNumber}.messages`,
          messageId,
          context: { type: "order", orderNumber, scope: "main", yourRole: "buyer" },
          sender: { username: (yield* purchase).seller.username },
          sentAt: told(yield* buyer.events, "message.received")[0]?.timestamp,
          hasAttachments: true
        }
      })
      assert.deepStrictEqual(told(yield* seller.events, "message.received"), [])
    })
  )

  it.effect("tell both sides of a message of the support, which writes under a name of its own", () =>
    Effect.gen(function* () {
      const { buyer, orderNumber, params, seller } = yield* sold()
      const { controlOrders } = yield* control
      const { messageId } = yield* controlOrders.message({ params, payload: { from: "support" } })
      for (const [yourRole, { events }] of [
        ["buyer", buyer],
        ["seller", seller]
      ] as const) {
        const [message] = told(yield* events, "message.received")
        assert.deepInclude(message?.data, {
          threadId: `${orderNumber}.support`,
          messageId,
          context: { type: "order", orderNumber, scope: "support", yourRole },
          sender: { username: "Support" }
        } as never)
      }
    })
  )
})
