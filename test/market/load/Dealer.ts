import { setTimeout } from "node:timers/promises"
import type { OrderStatus } from "../../../src/market/contract/orders/orderParts.ts"
import { pick, seededNumber } from "../../../src/market/catalogue/seededNumber.ts"
import { type Call, insist, type Note } from "./Caller.ts"

/** What a dealer knows about an order, only from answers. */
export interface KnownOrder {
  readonly units: number
  status: OrderStatus
  refundedCents: number
  note: number
}

/** A seller, their buyer, and what was answered to the two. */
export interface Dealer {
  readonly seller: { readonly id: string; readonly key: string }
  readonly buyer: { readonly id: string; readonly key: string }
  /** Units in stock according to the answers. */
  units: number
  readonly orders: Map<string, KnownOrder>
  /** Writes that were answered. */
  answered: number
  /** Does one more thing. */
  readonly act: () => Promise<void>
  /** Asks for something that changes nothing. */
  readonly look: () => Promise<void>
}

export const unitCents = 1999
export const rowsOfImport = 40

interface Party {
  readonly account: { readonly id: string }
  readonly key: { readonly key: string }
}

const line = { productId: 10_007, finish: "Standard", language: "en", condition: "NM" }
const importText = `productId,finish,condition,language,quantity\n${"10007,Standard,LP,en,1\n".repeat(rowsOfImport)}`

/** A new seller with plenty to sell and their buyer, in the running marketplace. */
export const makeDealer = async (url: string, name: string, note: Note): Promise<Dealer> => {
  const account = (body: object) =>
    insist(url, "", { method: "POST", path: "/sandbox/accounts", body }, note) as Promise<object> as Promise<Party>
  const made = await account({ username: `${name} sells`, seller: { type: "pro", currency: "EUR" } })
  const other = await account({ username: `${name} buys`, country: "DE" })
  const seller = { id: made.account.id, key: made.key.key }
  const buyer = { id: other.account.id, key: other.key.key }
  let calls = 0
  const draw = (what: string) => seededNumber(name, what, calls)

  const write = async (call: Omit<Call, "once">, key = seller.key) => {
    const json = await insist(url, key, { ...call, once: `${name} ${calls}` }, note)
    dealer.answered += 1
    return json
  }
  const chosen = (status: KnownOrder["status"]) => {
    const some = [...dealer.orders].filter(([, order]) => order.status === status)
    return pick(some, draw("order"))
  }
  const sale = (number: string, what: string, body: object, method: "POST" | "PATCH" = "POST") =>
    write({ method, path: `/v1/sales/${number}/${what}`, body })

  const stock = { ...line, quantity: 50, listing: { price: { amount: unitCents / 100, currency: "EUR" } } }
  const addStock = async () => {
    const { created } = await write({ method: "POST", path: "/v1/inventory", body: { lines: [stock] } })
    dealer.units += 50
    return (created as ReadonlyArray<{ readonly id: string }>)[0]?.id ?? ""
  }
  const buy = async () => {
    const units = 1 + Math.floor(draw("units") * 3)
    const body = { buyerId: buyer.id, items: [{ listingId: `lst_${lineId}`, quantity: units }] }
    const { orders } = await insist(url, "", { method: "POST", path: "/sandbox/checkout", body }, note)
    for (const number of orders as ReadonlyArray<string>) {
      dealer.orders.set(number, { units, status: "pending_shipment", refundedCents: 0, note: 0 })
      dealer.units -= units
      dealer.answered += 1
    }
  }
  const ship = async () => {
    const [number, order] = chosen("pending_shipment") ?? []
    if (number === undefined || order === undefined) return buy()
    await sale(number, "mark-shipped", { trackingNumber: `PARCEL-${number}` })
    order.status = "shipped"
  }
  const cancel = async () => {
    const [number, order] = chosen("pending_shipment") ?? []
    if (number === undefined || order === undefined) return buy()
    await sale(number, "cancel", { reason: "item_damaged", reasonText: "Water got into it" })
    order.status = "cancelled_seller"
    dealer.units += order.units
  }
  const refund = async () => {
    const [number, order] = chosen("shipped") ?? []
    if (number === undefined || order === undefined || order.refundedCents > 0) return buy()
    await sale(number, "refunds", { amount: 0.5 })
    order.refundedCents = 50
  }
  const annotate = async () => {
    const [number, order] = chosen("shipped") ?? []
    if (number === undefined || order === undefined) return buy()
    await sale(number, "metadata", { metadata: { note: String(calls) } }, "PATCH")
    order.note = calls
  }
  const adjust = async () => {
    await write({ method: "PATCH", path: `/v1/inventory/${lineId}`, body: { quantity: { adjust: 5 } } })
    dealer.units += 5
  }
  const importRows = async () => {
    const body = new FormData()
    body.append("file", new Blob([importText]), "stock.csv")
    const { job } = await write({ method: "POST", path: "/v1/inventory/bulk/import", body })
    const path = `/v1/inventory/bulk/jobs/${(job as { readonly id: string }).id}`
    for (;;) {
      const now = (await insist(url, seller.key, { method: "GET", path }, note))["job"] as { status: string }
      if (now.status === "failed") throw new Error(`${path} failed`)
      if (now.status === "completed") break
      await setTimeout(20)
    }
    dealer.units += rowsOfImport
  }
  const fillCart = () =>
    write(
      {
        method: "POST",
        path: "/v1/cart/items",
        body: { deliveryCountry: "DE", items: [{ listingId: `lst_${lineId}`, quantity: 1 }] }
      },
      buyer.key
    )

  const deeds = [addStock, buy, buy, buy, ship, ship, cancel, refund, annotate, adjust, importRows, fillCart]
  const reads: ReadonlyArray<Call> = [
    { method: "GET", path: "/v1/inventory" },
    { method: "GET", path: "/v1/sales" },
    { method: "GET", path: "/v1/account/balance" },
    { method: "GET", path: `/v1/products/${line.productId}/listings` },
    { method: "POST", path: "/v1/products/search", body: { gameFilters: { game: "emberfall" } } }
  ]
  const dealer: Dealer = {
    seller,
    buyer,
    units: 0,
    orders: new Map(),
    answered: 0,
    act: async () => {
      calls += 1
      await pick(deeds, draw("deed"))?.()
    },
    look: async () => {
      calls += 1
      const call = pick(reads, draw("read"))
      if (call !== undefined) await insist(url, seller.key, call, note)
    }
  }
  const lineId = await addStock()
  return dealer
}
