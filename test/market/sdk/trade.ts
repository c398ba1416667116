import { createClient } from "../../../src/market/sdk/client.ts"

/** What the sandbox's control routes answer, as far as these tests read it. */
interface Control {
  readonly account: { readonly id: string }
  readonly key: { readonly key: string }
  readonly orders: ReadonlyArray<string>
  readonly secret: string
}

/** Asks a control route: a web page, a buyer or a carrier does this. */
export const control = async (url: string, path: string, body: object): Promise<Control> => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(`${url}/sandbox/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Control
}

/** An account with a key to everything; a seller unless it only buys. */
export const account = async (url: string, username: string, isSeller = true) => {
  const seller = { seller: { type: "pro", currency: "EUR" } }
  const { account, key } = await control(url, "accounts", { username, country: "DE", ...(isSeller ? seller : {}) })
  return { id: account.id, key: key.key }
}

/** Emberfall's product 10007, a card. */
export const raw = { productId: 10_007, finish: "Standard", language: "en", condition: "NM" } as const
export const price = { amount: 14.99, currency: "EUR" } as const

/** Pays for units of the seller's only listing of the card. */
export const buy = async (url: string, buyer: { readonly id: string; readonly key: string }, seller: string) => {
  const api = createClient({ url, key: buyer.key })
  for await (const listing of api.products.listings(raw.productId)) {
    if (listing.seller.username !== seller) continue
    const items = [{ listingId: listing.listingId, quantity: 1 }]
    const { orders } = await control(url, "checkout", { buyerId: buyer.id, items })
    return { listingId: listing.listingId, orderNumber: orders[0] ?? "" }
  }
  throw new Error(`${seller} offers no ${raw.productId}`)
}
