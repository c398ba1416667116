import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../../contract/MarketplaceApi.ts"
import { badRequest } from "../answers/badRequest.ts"
import { notFound } from "../answers/notFound.ts"
import { originOf } from "../answers/originOf.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { State } from "../state/State.ts"
import { listingPage } from "./listingPage.ts"

/** The offers for a product. Spec: ProductListing; beyond the spec: section 6. */
export const productListingHandlers = HttpApiBuilder.group(MarketplaceApi, "productListings", (handlers) =>
  handlers.handle(
    "productListings",
    Effect.fnUntraced(function* ({ params: { productId }, query }) {
      if (!/^-?\d{1,16}$/.test(productId)) {
        return yield* badRequest("productId", `expected an integer, got ${productId}`)
      }
      const id = BigInt(productId).toString()
      if (!(yield* soldProducts([id])).has(id)) return yield* notFound("productId", id)
      const { store } = yield* State
      return yield* listingPage(store, Number(id), query, yield* originOf)
    })
  )
)
