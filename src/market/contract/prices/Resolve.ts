import { Schema } from "effect"
import { CatalogId, Count, GameId } from "../../../contract/Catalogue.ts"
import { PriceSource } from "../../../contract/PriceHistory.ts"

/** Ids of a price source to look up. Beyond the spec: section 6, resolve. */
export const ResolveRequest = Schema.Struct({
  marketplace: PriceSource,
  ids: Schema.Array(Count).check(Schema.isMinLength(1), Schema.isMaxLength(200))
}).annotate({
  title: "ResolveRequest",
  description: "Ids of one price source to look up."
})

/** In the order asked for; one product and finish an id at most. Beyond the spec: section 6, resolve. */
export const Resolved = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({
      externalId: Count,
      product: Schema.NullOr(
        Schema.Struct({
          id: CatalogId,
          name: Schema.String,
          gameId: GameId,
          expansionId: Schema.NullOr(CatalogId),
          finish: Schema.String
        }).annotate({ title: "ResolvedProduct" })
      )
    })
  )
}).annotate({
  title: "Resolved",
  description: "In the order asked for; `product` is null for an unknown id."
})
