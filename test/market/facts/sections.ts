import { account, scopes, rates } from "./beyond/account.ts"
import { cart } from "./beyond/cart.ts"
import { disagreements, envelopes } from "./beyond/envelopes.ts"
import { errors } from "./beyond/errors.ts"
import { marketEvents } from "./beyond/events.ts"
import { feedFiles } from "./beyond/feeds.ts"
import { gamesAndExpansions, products } from "./beyond/products.ts"
import { jobs } from "./beyond/jobs.ts"
import { orders } from "./beyond/orders.ts"
import { priceBlocks } from "./beyond/priceBlocks.ts"
import { stock } from "./beyond/stock.ts"
import type { Section } from "./Fact.ts"
import { more } from "./live/more.ts"
import { ours } from "./ours.ts"
import { authentication } from "./spec/authentication.ts"
import { changelog } from "./spec/changelog.ts"
import { conventions } from "./spec/conventions.ts"
import { endpoints } from "./spec/endpoints.ts"
import { events, jobEvents } from "./spec/events.ts"
import { items, parties } from "./spec/items.ts"
import { limits } from "./spec/limits.ts"
import { listingRecords } from "./spec/listings.ts"
import { operations } from "./spec/operations.ts"
import { purchaseRecords } from "./spec/purchases.ts"
import { saleRecords, states } from "./spec/sales.ts"
import { sealedProducts } from "./spec/sealed.ts"
import { service } from "./spec/service.ts"

/** All facts, in the order of the documents. */
export const sections: ReadonlyArray<Section> = [
  ...service,
  ...conventions,
  ...parties,
  ...items,
  ...saleRecords,
  ...purchaseRecords,
  ...listingRecords,
  ...sealedProducts,
  ...states,
  ...endpoints,
  ...operations,
  ...changelog,
  ...authentication,
  ...events,
  ...jobEvents,
  ...limits,
  envelopes,
  errors,
  rates,
  scopes,
  gamesAndExpansions,
  products,
  priceBlocks,
  feedFiles,
  account,
  stock,
  jobs,
  orders,
  cart,
  marketEvents,
  ...disagreements,
  more,
  ours
]
