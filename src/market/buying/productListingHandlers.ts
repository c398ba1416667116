import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { originOf } from "../answers/originOf.ts"
import { findProduct } from "../catalogue/findLive.ts"
import { Stalls } from "../offers/Stalls.ts"
import { State } from "../state/State.ts"
import { listingPage } from "./listingPage.ts"

/** The offers for a product. Spec: ProductListing; beyond the spec: section 6. */
export const productListingHandlers = HttpApiBuilder.group(MarketplaceApi, "productListings", (handlers) =>
  handlers.handle(
    "productListings",
    Effect.fnUntraced(function* ({ params: { productId }, query }) {
      yield* findProduct(productId)
      yield* (yield* Stalls).open([Number(productId)])
      const { store } = yield* State
      return yield* listingPage(store, { ...query, productId: Number(productId), origin: yield* originOf })
    })
  )
)
