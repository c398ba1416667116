import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Served, control } from "../Served.ts"
import { buy, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { makePair, pass } from "./Sold.ts"
import { suite, values } from "../../support/sandbox.ts"

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

suite(Served.layer())("the records of an order", (it) => {
  it("are a sale to its seller and a purchase to its buyer, with every field", function* () {
    const graded = { gradingService: "PSA", grade: "9.5", certification: "778" } as const
    const seller = yield* makeShop("graded", [{ price: 30, quantity: 2, customId: "slab-1", graded, condition: null }])
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
    assert.deepEqual(sale, {
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
    assert.deepEqual(yield* buyer.api.purchases.purchase({ params }), {
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

  it("have a seller's rating: what buyers gave once they had the parcel, one each order", function* () {
    const { order, seller } = yield* makePair()
    const { controlOrders } = yield* control
    const [one, two] = [yield* order, yield* order]
    const rate = (params: typeof one.params, stars: number) => controlOrders.review({ params, payload: { stars } })
    assert.deepEqual((yield* one.purchase).seller.rating, { average: null, count: 0 })
    assert.deepInclude(yield* Effect.flip(rate(one.params, 5)), { code: "INVALID_STATUS", status: 409 })
    yield* one.reach("delivered")
    yield* two.reach("completed")
    assert.deepEqual(yield* rate(one.params, 2), { average: 2, count: 1 })
    yield* rate(two.params, 4)
    assert.deepEqual(yield* rate(one.params, 5), { average: 4.5, count: 2 })
    assert.deepEqual((yield* two.purchase).seller.rating, { average: 4.5, count: 2 })
    const listed = (yield* listingsOf(one.buyer, 10_007)).find((each) => each.seller.id === seller.id)
    assert.deepEqual(listed?.seller.rating, { average: 4.5, count: 2 })
  })

  it("say how a seller handled recent orders, once there are enough of them", function* () {
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

  it("keep what they were sold as when the line changes or goes, and a cancelled order's units are never lost", function* () {
    const shop = yield* makeShop("restless", [{ price: 3, quantity: 4, customId: "mine" }])
    const buyer = yield* makeParty("patient")
    const [orderNumber] = yield* buy(buyer, [{ listingId: shop.listings[0]!, quantity: 3 }])
    yield* shop.api.inventory.deleteLine({ params: { inventoryId: shop.inventoryIds[0]! }, payload: {} })
    const params = { orderNumber: orderNumber! }
    const sale = yield* shop.api.sales.sale({ params })
    assert.deepInclude(sale.items[0], { inventoryId: shop.inventoryIds[0]!, customId: "mine", condition: "NM" })
    yield* shop.api.sales.cancelSale({ params, payload: { reason: "pricing_error", reasonText: "Ten letters" } })
    const lines = (yield* shop.api.inventory.lines({ query: {} })).data
    assert.deepEqual(values(lines, "customId", "forSale", "quantity"), [[null, false, 3]])
    const told = (yield* shop.events).findLast(({ type }) => type === "inventory.quantity.changed")
    assert.deepEqual(told?.data, {
      reason: "order_cancelled",
      changes: [{ inventoryId: lines[0]!.id, customId: null, productId: 10_007, before: 0, after: 3 }]
    } as never)
  })
})
