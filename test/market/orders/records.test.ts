import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, Served } from "../Served.ts"
import { buy, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { control } from "../Trader.ts"
import { makePair, pass, sold } from "./Sold.ts"

const address = {
  recipientName: "Ada Byron",
  line1: "12 Rue Longue",
  line2: null,
  city: "Lyon",
  state: null,
  postalCode: "69001",
  countryCode: "FR",
  phone: "+33 1 23"
}

layer(Served.layer())("the records of an order", (it) => {
  it.effect("are a sale to its seller and a purchase to its buyer, with every field", () =>
    Effect.gen(function* () {
      const graded = { gradingService: "PSA", grade: "9.5", certification: "778" } as const
      const seller = yield* makeShop("graded", [
        { price: 30, quantity: 2, customId: "slab-1", graded, condition: null }
      ])
      const buyer = yield* makeParty("ada", { country: "FR" })
      const { controlBuying } = yield* control
      const items = [{ listingId: seller.listings[0]!, quantity: 1 }]
      const { orders } = yield* controlBuying.checkout({ payload: { buyerId: buyer.id, items, address } })
      const params = { orderNumber: orders[0]! }
      const sale = yield* seller.api.sales.sale({ params })
      const item = {
        productId: 10_007,
        productName: "Ashen Warden",
        imageUrl: sale.items[0]?.imageUrl ?? null,
        condition: null,
        language: "en",
        finish: "Standard",
        graded,
        quantity: 1,
        unitPrice: { amount: 30, currency: "EUR" },
        lineTotal: { amount: 30, currency: "EUR" }
      }
      const dates = {
        orderNumber: params.orderNumber,
        status: "pending_shipment",
        placedAt: sale.placedAt,
        updatedAt: sale.placedAt,
        shippedAt: null,
        deliveredAt: null,
        completedAt: null,
        currency: "EUR",
        subtotal: { amount: 30, currency: "EUR" },
        shippingAmount: { amount: 2.5, currency: "EUR" }
      }
      const party = { avatarUrl: null, rating: { average: null, count: 0 }, reliability: null }
      assert.deepStrictEqual(sale, {
        ...dates,
        items: [{ ...item, inventoryId: seller.inventoryIds[0]!, customId: "slab-1" }],
        sellerFee: { percentage: 5, amount: { amount: 1.5, currency: "EUR" } },
        payout: { amount: null, eligibleAt: null, paidOutAt: null },
        refunded: { amount: 0, currency: "EUR" },
        buyer: { ...party, id: buyer.id, username: "ada", country: "FR", type: null },
        shippingAddress: address,
        metadata: {},
        shipping: null,
        cancellation: null
      } as never)
      assert.deepStrictEqual(yield* buyer.api.purchases.purchase({ params }), {
        ...dates,
        items: [item],
        buyerFee: { amount: 0.6, currency: "EUR" },
        tax: { amount: 0, currency: "EUR" },
        total: { amount: 33.1, currency: "EUR" },
        seller: { ...party, id: seller.id, username: "graded", country: "DE", type: "pro" },
        shippingAddress: address,
        shipping: null,
        refund: null,
        cancellation: null
      } as never)
    })
  )

  it.effect("are not found by anybody else, nor from the other side", () =>
    Effect.gen(function* () {
      const { buyer, params, seller } = yield* sold()
      const stranger = yield* makeParty("stranger")
      const calls: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        stranger.api.sales.sale({ params }),
        stranger.api.purchases.purchase({ params }),
        buyer.api.sales.sale({ params }),
        seller.api.purchases.purchase({ params }),
        buyer.api.sales.markShipped({ params, payload: { trackingNumber: "12345" } }),
        seller.api.sales.sale({ params: { orderNumber: "CL-999999" } })
      ]
      for (const call of calls) assert.deepInclude(yield* Effect.flip(call), { code: "NOT_FOUND" })
    })
  )

  it.effect("name a product as it was sold, and without its id once it left the catalogue", () =>
    Effect.gen(function* () {
      // The deployment after the first takes 10040 out of Emberfall.
      const order = yield* sold({ items: [{ productId: 10_040, price: 1, quantity: 1 }] })
      assert.deepInclude((yield* order.purchase).items[0], { productId: 10_040, productName: "Kindled Warden" })
      yield* ask("/sandbox/deploy", { body: { gameId: "emberfall" } })
      for (const view of [yield* order.purchase, yield* order.sale]) {
        assert.deepInclude(view.items[0], { productId: null, productName: "Kindled Warden" })
      }
    })
  )

  it.effect("are listed newest first, page by page, and a new order disturbs no sweep", () =>
    Effect.gen(function* () {
      const { buyer, order, seller } = yield* makePair()
      const numbers = []
      for (let count = 0; count < 5; count++) numbers.unshift((yield* order).orderNumber)
      const first = yield* seller.api.sales.sales({ query: { limit: 2 } })
      yield* order
      const second = yield* seller.api.sales.sales({ query: { limit: 2, cursor: first.pagination.nextCursor! } })
      const third = yield* seller.api.sales.sales({ query: { limit: 2, cursor: second.pagination.nextCursor! } })
      assert.deepStrictEqual(
        [first, second, third].flatMap(({ data }) => data.map(({ orderNumber }) => orderNumber)),
        numbers
      )
      assert.isNull(third.pagination.nextCursor)
      assert.strictEqual((yield* buyer.api.purchases.purchases({ query: {} })).data.length, 6)
      const query = { cursor: first.pagination.nextCursor! }
      assert.deepInclude(yield* Effect.flip(buyer.api.purchases.purchases({ query })), { code: "BAD_REQUEST" })
    })
  )

  it.effect("are filtered by status, by day and, for the seller, by metadata", () =>
    Effect.gen(function* () {
      const { buyer, order, seller } = yield* makePair()
      const [one, two] = [yield* order, yield* order]
      yield* one.ship()
      yield* pass(3600)
      const three = yield* order
      yield* seller.api.sales.changeMetadata({
        params: two.params,
        payload: { metadata: { "erp.id": "7", shelf: "a b&c" } }
      })
      const found = (path: string, key: string) =>
        Effect.map(ask(path, { key }), ({ json }) =>
          (json as unknown as { data: ReadonlyArray<{ orderNumber: string }> }).data.map(
            ({ orderNumber }) => orderNumber
          )
        )
      const sales = (query: string) => found(`/v1/sales?${query}`, seller.key)
      const placed = (yield* two.sale).placedAt
      assert.deepStrictEqual(yield* sales("status=shipped"), [one.orderNumber])
      assert.deepStrictEqual((yield* sales("status=shipped&status=pending_shipment")).length, 3)
      assert.deepStrictEqual(
        yield* found(`/v1/purchases?placedTo=${placed}&placedFrom=${placed}`, buyer.key),
        [two.orderNumber],
        "both ends are inclusive"
      )
      assert.include(yield* sales(`placedFrom=${placed}`), three.orderNumber)
      assert.deepStrictEqual(yield* sales("metadata[erp.id]=7&metadata[shelf]=a%20b%26c"), [two.orderNumber])
      assert.deepStrictEqual(yield* sales("metadata[erp.id]=7&metadata[shelf]=other"), [])
      const eleven = Array.from({ length: 11 }, (_, at) => `metadata[k${at}]=1`).join("&")
      assert.strictEqual((yield* ask(`/v1/sales?${eleven}`, { key: seller.key })).status, 400)
    })
  )

  it.effect("have a seller's rating: what buyers gave once they had the parcel, one each order", () =>
    Effect.gen(function* () {
      const { order, seller } = yield* makePair()
      const { controlOrders } = yield* control
      const [one, two] = [yield* order, yield* order]
      const rate = (params: typeof one.params, stars: number) => controlOrders.review({ params, payload: { stars } })
      assert.deepStrictEqual((yield* one.purchase).seller.rating, { average: null, count: 0 })
      assert.deepInclude(yield* Effect.flip(rate(one.params, 5)), { code: "INVALID_STATUS", status: 409 })
      yield* one.reach("delivered")
      yield* two.reach("completed")
      assert.deepStrictEqual(yield* rate(one.params, 2), { average: 2, count: 1 })
      yield* rate(two.params, 4)
      assert.deepStrictEqual(yield* rate(one.params, 5), { average: 4.5, count: 2 })
      assert.deepStrictEqual((yield* two.purchase).seller.rating, { average: 4.5, count: 2 })
      const listed = (yield* listingsOf(one.buyer, 10_007)).find((each) => each.seller.id === seller.id)
      assert.deepStrictEqual(listed?.seller.rating, { average: 4.5, count: 2 })
    })
  )

  it.effect("say how a seller handled recent orders, once there are enough of them", () =>
    Effect.gen(function* () {
      const { order } = yield* makePair()
      const orders = [yield* order, yield* order, yield* order, yield* order]
      assert.isNull((yield* orders[0]!.purchase).seller.reliability)
      const last = yield* order
      yield* pass(36_000)
      yield* last.reach("completed")
      const { reliability } = (yield* last.purchase).seller
      assert.deepInclude(reliability, { orderCount: 5, completedCount: 1, completionRate: 0.2 })
      assert.approximately(reliability?.avgShipTimeHours ?? 0, 10, 0.1)
    })
  )

  it.effect(
    "keep what they were sold as when the line changes or goes, and a cancelled order's units are never lost",
    () =>
      Effect.gen(function* () {
        const shop = yield* makeShop("restless", [{ price: 3, quantity: 4, customId: "mine" }])
        const buyer = yield* makeParty("patient")
        const [orderNumber] = yield* buy(buyer, [{ listingId: shop.listings[0]!, quantity: 3 }])
        yield* shop.api.inventory.deleteLine({ params: { inventoryId: shop.inventoryIds[0]! }, payload: {} })
        const params = { orderNumber: orderNumber! }
        const sale = yield* shop.api.sales.sale({ params })
        assert.deepInclude(sale.items[0], { inventoryId: shop.inventoryIds[0]!, customId: "mine", condition: "NM" })
        yield* shop.api.sales.cancelSale({
          params,
          payload: { reason: "pricing_error", reasonText: "Ten letters" }
        })
        const lines = (yield* shop.api.inventory.lines({ query: {} })).data
        assert.deepStrictEqual(
          lines.map(({ customId, forSale, quantity }) => ({ customId, forSale, quantity })),
          [{ customId: null, forSale: false, quantity: 3 }]
        )
        const told = (yield* shop.events).findLast(({ type }) => type === "inventory.quantity.changed")
        assert.deepStrictEqual(told?.data, {
          reason: "order_cancelled",
          changes: [{ inventoryId: lines[0]!.id, customId: null, productId: 10_007, before: 0, after: 3 }]
        } as never)
      })
  )
})
