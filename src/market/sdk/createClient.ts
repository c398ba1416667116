import { makeCaller } from "./Caller.ts"
import type { ClientOptions } from "./ClientOptions.ts"
import { type FileRequest, makeDownload } from "./download.ts"
import { account } from "./resources/account.ts"
import { bulk } from "./resources/bulk.ts"
import { cart } from "./resources/cart.ts"
import { expansions } from "./resources/expansions.ts"
import { feeds } from "./resources/feeds.ts"
import { games } from "./resources/games.ts"
import { inventory } from "./resources/inventory.ts"
import { locations, tags } from "./resources/labels.ts"
import { listings } from "./resources/listings.ts"
import { products } from "./resources/products.ts"
import { purchases } from "./resources/purchases.ts"
import { sales } from "./resources/sales.ts"

/** The marketplace as promises and lists, by resource. */
export interface Client {
  readonly account: ReturnType<typeof account>
  readonly bulk: ReturnType<typeof bulk>
  readonly cart: ReturnType<typeof cart>
  readonly expansions: ReturnType<typeof expansions>
  readonly feeds: ReturnType<typeof feeds>
  readonly games: ReturnType<typeof games>
  readonly inventory: ReturnType<typeof inventory>
  readonly listings: ReturnType<typeof listings>
  readonly locations: ReturnType<typeof locations>
  readonly products: ReturnType<typeof products>
  readonly purchases: ReturnType<typeof purchases>
  readonly sales: ReturnType<typeof sales>
  readonly tags: ReturnType<typeof tags>
  /** Downloads the file behind a link of an answer. The link may lead to another host, so the key is not sent. */
  readonly download: FileRequest
}

/**
 * Creates a client of the marketplace at `url` without sending a request. Calls fail with `ApiError`, with their
 * signal's reason, or with a `TypeError` for invalid arguments.
 */
export const createClient = (options: ClientOptions): Client => {
  const caller = makeCaller(options)
  return {
    account: account(caller),
    bulk: bulk(caller),
    cart: cart(caller),
    expansions: expansions(caller),
    feeds: feeds(caller),
    games: games(caller),
    inventory: inventory(caller),
    listings: listings(caller),
    locations: locations(caller),
    products: products(caller),
    purchases: purchases(caller),
    sales: sales(caller),
    tags: tags(caller),
    download: makeDownload(options)
  }
}
