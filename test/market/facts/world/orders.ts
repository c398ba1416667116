import { answered, readList, at } from "../reading/ask.ts"
import { box, type Offer, type Party, slab, type Trade } from "./trade.ts"

/** What happens to a new order until it has a status; `ship` is the seller's. */
export const ways: Readonly<Record<string, ReadonlyArray<string>>> = {
  pending_shipment: [],
  cancellation_requested: ["cancellation_requested"],
  shipped: ["ship"],
  delivered: ["ship", "delivered"],
  completed: ["ship", "delivered", "completed"],
  dispute_open: ["ship", "dispute_open"],
  dispute_escalated: ["ship", "dispute_open", "dispute_escalated"],
  cancelled_buyer: ["cancellation_requested", "cancelled_buyer"],
  cancelled_seller: ["cancel"],
  cancelled_auto: ["cancelled_auto"],
  resolved_full_refund: ["ship", "dispute_open", "dispute_escalated", "resolved_full_refund"],
  resolved_partial_refund: ["ship", "dispute_open", "dispute_escalated", "resolved_partial_refund"],
  resolved_no_refund: ["ship", "dispute_open", "dispute_escalated", "resolved_no_refund"],
  resolved_return: ["ship", "dispute_open", "dispute_escalated", "resolved_return"],
  resolved_goodwill_refund: ["ship", "dispute_open", "dispute_escalated", "resolved_goodwill_refund"]
}
export const statuses = Object.keys(ways)

/** An order as both sides read it. */
interface Order {
  readonly orderNumber: string
  readonly sale: unknown
  readonly purchase: unknown
}

export interface Orders {
  readonly shop: Party
  readonly buyer: Party
  /** The shop's lines that are for sale: a card, a graded card, a sealed product, a card without a picture. */
  readonly offers: ReadonlyArray<Offer>
  readonly reach: (from: Party, order: string, status: string) => Promise<void>
  /** A new order of the shop's card that has this status. */
  readonly ordered: (status: string) => Promise<string>
  readonly saleOf: (order: string) => Promise<unknown>
  readonly purchaseOf: (order: string) => Promise<unknown>
  /** By status, as they were when the world was made. */
  readonly byStatus: Readonly<Record<string, Order>>
  readonly sales: ReadonlyArray<unknown>
  readonly purchases: ReadonlyArray<unknown>
}

const address = {
  recipientName: "Ann Example",
  line1: "1 Rue du Port",
  line2: "Floor 2",
  city: "Lyon",
  state: "Rhône",
  postalCode: "69001",
  countryCode: "FR",
  phone: "+33 1 23 45 67 89"
}

/** An order in each status between a shop and a buyer, and one with an individual seller. */
export const makeOrders = async (trade: Trade, unpictured: number): Promise<Orders> => {
  const { buy, control, offer, party, scan, seller, ship, step } = trade
  const shop = await seller()
  const buyer = await party({ country: "FR" })
  const offers = [
    await offer(shop, 14.99, { customId: "RAW-1" }),
    await offer(shop, 50.01, { ...slab, condition: null, quantity: 1000 }),
    await offer(shop, 100.1, { ...box, condition: null, quantity: 1000, customId: "BOX-1" }),
    await offer(shop, 0.33, { productId: unpictured, condition: "LP" })
  ]
  const reach = async (from: Party, order: string, status: string) => {
    for (const way of ways[status] ?? []) {
      if (way === "ship")
        await answered(ship(from, order, status === "shipped" ? { trackingUrl: "https://track.example/1" } : {}))
      else if (way === "cancel")
        await answered(
          from.ask(`POST /v1/sales/${order}/cancel`, { reason: "item_damaged", reasonText: "It got wet on the way" })
        )
      else if (way === "delivered") await answered(scan(order, "delivered", { carrier: "Post" }))
      else
        await answered(
          step(order, way, way === "resolved_partial_refund" || way === "resolved_goodwill_refund" ? { amount: 1 } : {})
        )
    }
  }
  const saleOf = (order: string) => answered(shop.ask(`GET /v1/sales/${order}`))
  const purchaseOf = (order: string) => answered(buyer.ask(`GET /v1/purchases/${order}`))
  const ordered = async (status: string) => {
    const order = await buy(buyer, offers.slice(0, 1))
    await reach(shop, order, status)
    return order
  }
  const numbers: Record<string, string> = {}
  for (const status of statuses) {
    const more = status === "pending_shipment" ? { address } : {}
    numbers[status] = await buy(buyer, offers, more)
    await reach(shop, numbers[status], status)
  }
  const reviewed = numbers["completed"] ?? ""
  await answered(control(`POST /sandbox/orders/${reviewed}/review`, { stars: 4 }))
  await answered(shop.ask(`PATCH /v1/sales/${reviewed}/metadata`, { metadata: { shelf: "7" } }))
  const individual = await seller({ type: "individual", country: "FR" })
  const lone = await buy(buyer, [await offer(individual, 2.5)])
  await answered(individual.ask(`GET /v1/sales/${lone}`))

  const byStatus: Record<string, Order> = {}
  for (const [status, orderNumber] of Object.entries(numbers))
    byStatus[status] = { orderNumber, sale: await saleOf(orderNumber), purchase: await purchaseOf(orderNumber) }
  const orders = Object.values(byStatus)
  const listed = await readList(shop.ask("GET /v1/sales?limit=100"), "data")
  return {
    shop,
    buyer,
    offers,
    reach,
    ordered,
    saleOf,
    purchaseOf,
    byStatus,
    sales: [...orders.map(({ sale }) => sale), ...listed],
    purchases: [...orders.map(({ purchase }) => purchase), await purchaseOf(lone)].filter(
      (it) => at(it, "orderNumber") !== ""
    )
  }
}
