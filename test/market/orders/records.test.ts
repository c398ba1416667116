import { assert } from "@effect/vitest"
import { Served, control } from "../Served.ts"
import { buy, listingsOf, makeParty, makeShop } from "../Shop.ts"
import { makePair } from "./Sold.ts"
import { suite, values } from "../../support/sandbox.ts"

suite(Served.layer())("the records of an order", (it) => {
  it("have a seller's rating: what buyers gave once they had the parcel, one each order", function* () {
    const { order, seller } = yield* makePair()
    const { controlOrders } = yield* control
    const [one, two] = [yield* order, yield* order]
    const rate = (params: typeof one.params, stars: number) => controlOrders.review({ params, payload: { stars } })
    yield* one.reach("delivered")
    yield* two.reach("completed")
    assert.deepEqual(yield* rate(one.params, 2), { average: 2, count: 1 })
    yield* rate(two.params, 4)
    assert.deepEqual(yield* rate(one.params, 5), { average: 4.5, count: 2 })
    assert.deepEqual((yield* two.purchase).seller.rating, { average: 4.5, count: 2 })
    const listed = (yield* listingsOf(one.buyer, 10_007)).find((each) => each.seller.id === seller.id)
    assert.deepEqual(listed?.seller.rating, { average: 4.5, count: 2 })
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
    const event = (yield* shop.events).findLast(({ type }) => type === "inventory.quantity.changed")
    assert.deepEqual(event?.data, {
      reason: "order_cancelled",
      changes: [{ inventoryId: lines[0]!.id, customId: null, productId: 10_007, before: 0, after: 3 }]
    } as never)
  })
})
