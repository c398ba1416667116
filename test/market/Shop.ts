import { Effect } from "effect"
import type { NewLine } from "../../src/market/contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../../src/market/contract/Money.ts"
import { control, makeAccount } from "./Served.ts"

/** Emberfall's product 10007, a card in Standard and English. */
export const card = { productId: 10_007, finish: "Standard", language: "en", condition: "NM" } as const

/** An account with a key to everything; a seller if it has a currency. */
export const makeParty = (
  username: string,
  { country, currency }: { readonly country?: string; readonly currency?: MarketCurrency } = {}
) =>
  makeAccount({
    username,
    ...(country === undefined ? {} : { country }),
    ...(currency === undefined ? {} : { seller: { type: "pro", currency } })
  })
export type Party = Effect.Success<ReturnType<typeof makeParty>>

/**
 * A seller with listed lines, each at a price and a quantity. `listings` has the ids that buyers
 * see, in the same order.
 */
export const makeShop = Effect.fnUntraced(function* (
  username: string,
  lines: ReadonlyArray<{ readonly price: number; readonly quantity: number } & Partial<NewLine>>,
  { country, currency = "EUR" }: { readonly country?: string; readonly currency?: MarketCurrency } = {}
) {
  const seller = yield* makeParty(username, { currency, ...(country === undefined ? {} : { country }) })
  const listings: Array<string> = []
  const inventoryIds: Array<string> = []
  for (const { price, ...line } of lines) {
    const { created, errors } = yield* seller.api.inventory.createLines({
      payload: { lines: [{ ...card, ...line, listing: { price: { amount: price, currency } } }] }
    })
    if (created[0] === undefined) return yield* Effect.die(new Error(JSON.stringify(errors)))
    inventoryIds.push(created[0].id)
    const shown = yield* listingsOf(seller, created[0].productId)
    const known = new Set(listings)
    const mine = shown.filter((listing) => listing.seller.id === seller.id && !known.has(listing.listingId))
    listings.push(...mine.map(({ listingId }) => listingId))
  }
  return { ...seller, listings, inventoryIds }
})
export type Shop = Effect.Success<ReturnType<typeof makeShop>>

/** All listings of a product, in their order. */
export const listingsOf = Effect.fnUntraced(function* (
  { api }: Pick<Party, "api">,
  productId: number,
  query: Omit<Parameters<Party["api"]["productListings"]["productListings"]>[0]["query"], "cursor"> = {}
) {
  const found = []
  let cursor: string | null | undefined
  do {
    const page: Effect.Success<ReturnType<Party["api"]["productListings"]["productListings"]>> =
      yield* api.productListings.productListings({
        params: { productId: String(productId) },
        query: { ...query, ...(cursor == null ? {} : { cursor }) }
      })
    found.push(...page.data)
    cursor = page.pagination.nextCursor
  } while (cursor !== null)
  return found
})

/** Pays for listings in the web shop. Answers the order numbers, one per seller. */
export const buy = Effect.fnUntraced(function* (
  buyer: Pick<Party, "id">,
  items: ReadonlyArray<{ readonly listingId: string; readonly quantity: number }>,
  more: { readonly isInsured?: boolean } = {}
) {
  const { controlBuying } = yield* control
  return (yield* controlBuying.checkout({ payload: { buyerId: buyer.id, items, ...more } })).orders
})
