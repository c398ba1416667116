import { Effect } from "effect"
import type { NewLine } from "../../../src/market/contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../../../src/market/contract/Money.ts"
import type { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { ways } from "../facts/world/orders.ts"
import { buy, makeParty, makeShop, type Party, type Shop } from "../Shop.ts"
import { control } from "../Served.ts"

let parcels = 0
const nextParcel = () => `PARCEL-${++parcels}`
let parties = 0

/** What a seller, a buyer, the carrier and the service do with one order. */
const orderOf = Effect.fnUntraced(function* (seller: Shop, buyer: Party, orderNumber: string) {
  const { controlOrders } = yield* control
  const params = { orderNumber }
  const step = (to: OrderStatus, more: { amount?: number; reason?: string } = {}) =>
    controlOrders.step({ params, payload: { to, ...more } })
  const ship = (trackingNumber = nextParcel()) => seller.api.sales.markShipped({ params, payload: { trackingNumber } })
  return {
    seller,
    buyer,
    params,
    orderNumber,
    ship,
    step,
    scan: (status: string, more: { location?: string; description?: string; carrier?: string } = {}) =>
      controlOrders.scan({ params, payload: { status, ...more } }),
    refund: (amount: number) => seller.api.sales.refundSale({ params, payload: { amount } }),
    cancel: seller.api.sales.cancelSale({ params, payload: { reason: "item_damaged", reasonText: "Water got in" } }),
    /** Takes a new order to a status. */
    reach: (status: OrderStatus) =>
      Effect.forEach(ways[status] ?? [], (way): Effect.Effect<unknown, unknown> => {
        if (way === "ship") return ship()
        return step(way === "cancel" ? "cancelled_seller" : (way as OrderStatus), { amount: 1 })
      }).pipe(Effect.orDie),
    sale: seller.api.sales.sale({ params }),
    purchase: buyer.api.purchases.purchase({ params }),
    balance: seller.api.account.balance({})
  }
})

interface Offer {
  readonly service?: "tracked" | "untracked" | "managed"
  readonly shipping?: number
  readonly currency?: MarketCurrency
  readonly buyerCountry?: string
  readonly isInsured?: boolean
  readonly items?: ReadonlyArray<{ readonly price: number; readonly quantity: number } & Partial<NewLine>>
}

/** A seller with stock for many orders of these items, a buyer, and what places such an order. */
export const makePair = Effect.fnUntraced(function* ({
  service = "tracked",
  shipping = 2.5,
  currency = "EUR",
  buyerCountry = "DE",
  isInsured = false,
  items = [{ price: 10, quantity: 2 }]
}: Offer = {}) {
  const { controlBuying } = yield* control
  const number = ++parties
  const buyer = yield* makeParty(`buyer ${number}`, { country: buyerCountry })
  const seller = yield* makeShop(
    `seller ${number}`,
    items.map((item) => ({ ...item, quantity: 1000 })),
    { currency }
  )
  yield* controlBuying.setSelling({
    params: { accountId: seller.id },
    payload: { shipping: [{ country: buyerCountry, amount: shipping, service }] }
  })
  const wanted = items.map(({ quantity }, at) => ({ listingId: seller.listings[at]!, quantity }))
  const order = Effect.flatMap(buy(buyer, wanted, { isInsured }), ([placed]) => orderOf(seller, buyer, placed!))
  return { seller, buyer, order }
})

/** A seller and a buyer with one order between them. */
export const sold = (offer: Offer = {}) => Effect.flatMap(makePair(offer), ({ order }) => order)

/** Lets this many seconds of the marketplace's time pass. */
export const pass = (seconds: number) =>
  Effect.flatMap(control, ({ controlClock }) => controlClock.advanceClock({ payload: { seconds } }))
