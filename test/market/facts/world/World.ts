import { answered, type Ask, askAs, readAll, type Talk, at, listAt, numberAt } from "../reading/ask.ts"
import type { Sandbox } from "./startSandbox.ts"
import { makeOrders, type Orders } from "./orders.ts"
import { card, type Trade, tradeAt } from "./trade.ts"

/** Running sandboxes, with orders in every state and the products that are there. */
export interface World extends Trade, Orders {
  readonly url: string
  /** With a key to everything, of an account that neither sells nor buys. */
  readonly ask: Ask
  /** What a buyer reads at a path of this listing of the card; nothing if it is not among those found. */
  readonly ofListing: (listingId: string, query: string, path: string) => Promise<ReadonlyArray<unknown>>
  /** Without a key. */
  readonly keyless: Ask
  /** With the key that the sandbox printed. */
  readonly printed: Ask
  readonly talk: Talk
  readonly products: ReadonlyArray<unknown>
  /** A second sandbox, of which faults and limits were asked: see `limitedFlags`. */
  readonly limited: { readonly url: string; readonly ask: Ask; readonly trade: Trade; readonly talk: Talk }
}

/** Every product of every game. */
const allProducts = async (ask: Ask): Promise<ReadonlyArray<unknown>> => {
  const products: Array<unknown> = []
  for (;;) {
    const page = await answered(ask(`POST /v1/products/search?limit=200&offset=${products.length}`, {}))
    products.push(...listAt(page, "data"))
    if (products.length >= numberAt(page, "pagination.total") || listAt(page, "data").length === 0) return products
  }
}

/** An English card in Standard that nobody offers now. */
export const unoffered = async ({ ask, products }: Pick<World, "ask" | "products">): Promise<number> => {
  for (const each of products) {
    if (at(each, "finishes.0") !== "Standard" || !listAt(each, "languages").includes("en")) continue
    if (at(each, "pricesByFinish.Standard.marketplace") !== undefined) continue
    const id = numberAt(each, "id")
    if (!(await ask(`GET /v1/products/${id}/prices`)).text.includes('"marketplace"')) return id
  }
  throw new Error("every card is offered")
}

export const makeWorld = async (sandbox: Sandbox, limited: Sandbox): Promise<World> => {
  const talk: Talk = { requests: [], texts: [] }
  const trade = tradeAt(sandbox.url, talk)
  const { ask } = await trade.party()
  const products = await allProducts(ask)
  const unpictured = products.find((each) => at(each, "productType") === "card" && at(each, "imageUrl") === undefined)
  const orders = await makeOrders(trade, numberAt(unpictured, "id"))
  return {
    ...trade,
    ...orders,
    url: sandbox.url,
    ask,
    ofListing: async (listingId, query, path) =>
      (await readAll(ask(`GET /v1/products/${card.productId}/listings?limit=100&${query}`), "data.*"))
        .filter((each) => at(each, "listingId") === listingId)
        .map((each) => at(each, path)),
    keyless: askAs(sandbox.url, null, talk),
    printed: askAs(sandbox.url, sandbox.key, talk),
    talk,
    products,
    limited: { url: limited.url, ask: askAs(limited.url, limited.key, talk), trade: tradeAt(limited.url, talk), talk }
  }
}
