import { Schema } from "effect"
import { absent, CatalogId, Count, GameId, JsonObject, ReleaseDate } from "./Catalogue.ts"
import type { Dialect } from "./dialect/dialects.ts"
import { BlockMoney, priceBlocks } from "./Prices.ts"

/** A product's id at a price source, for one finish. (source, id) is no key. Beyond the spec: section 6. */
export const FinishId = Schema.Struct({ finish: Schema.NonEmptyString, id: Count }).annotate({
  title: "FinishId",
  description: "The id of a product at a price source, for one finish."
})

/** Ids of the product in other systems. Spec: ExternalIds. */
export const externalIds = ({ ids }: Dialect) =>
  Schema.Struct({
    [ids.sourceEur]: absent(Schema.Array(FinishId)),
    [ids.sourceUsd]: absent(Schema.Array(FinishId)),
    [ids.mtgId]: absent(Schema.String),
    [ids.mtgOracleId]: absent(Schema.String),
    [ids.konamiStyleId]: absent(Schema.String),
    [ids.lorcanaId]: absent(Schema.String),
    [ids.fabId]: absent(Schema.String),
    [ids.riftboundId]: absent(Schema.String)
  }).annotate({ title: "ExternalIds", description: "Ids of the product in other systems." })

/** The game as a product embeds it. Spec: SealedProduct, EmbeddedGame. */
export const EmbeddedGame = Schema.Struct({ id: GameId, name: Schema.String }).annotate({
  title: "EmbeddedGame",
  description: "The game of a product."
})

/** The expansion as a product embeds it. Spec: SealedProduct, EmbeddedExpansion. */
export const EmbeddedExpansion = Schema.Struct({
  id: CatalogId,
  code: Schema.NullOr(Schema.String),
  name: Schema.String,
  symbolUrl: absent(Schema.String)
}).annotate({ title: "EmbeddedExpansion", description: "The expansion of a product." })

/** Stock that matches the request's `listings` filter, if requested. Spec: SealedProduct, availability. */
export const Availability = Schema.Struct({
  inStock: Schema.Boolean,
  listingCount: Count,
  cheapest: Schema.NullOr(
    Schema.Struct({
      listingId: Schema.String,
      price: BlockMoney,
      priceEur: BlockMoney,
      quantity: Count,
      finish: Schema.String,
      condition: Schema.NullOr(Schema.String),
      language: Schema.NullOr(Schema.String),
      seller: Schema.Struct({
        id: Schema.String,
        username: Schema.String,
        country: Schema.NullOr(Schema.String),
        type: Schema.NullOr(Schema.String)
      })
    }).annotate({ title: "CheapestListing", description: "The cheapest matching listing, compared by `priceEur`." })
  )
}).annotate({
  title: "Availability",
  description: "Listings that match the request's `listings` filter; only there when the request has one."
})

const common = (dialect: Dialect) => ({
  id: CatalogId,
  gameId: GameId,
  game: EmbeddedGame,
  name: Schema.String,
  nameSlug: Schema.String,
  languages: Schema.Array(Schema.String),
  expansionId: absent(CatalogId),
  expansion: absent(EmbeddedExpansion),
  externalIds: absent(externalIds(dialect)),
  imageUrl: absent(Schema.String),
  releaseDate: absent(ReleaseDate),
  availability: absent(Availability)
})

/** A single card: prices by finish, open attributes per game. Beyond the spec: section 6, card product. */
export const card = (dialect: Dialect) =>
  Schema.Struct({
    ...common(dialect),
    productType: Schema.Literal("card"),
    finishes: Schema.Array(Schema.NonEmptyString),
    pricesByFinish: Schema.Record(Schema.String, priceBlocks(dialect)),
    attributes: JsonObject,
    printNumber: absent(Schema.String),
    variant: absent(Schema.String),
    rarity: absent(Schema.String),
    imageBackUrl: absent(Schema.String)
  }).annotate({ title: "Card", description: "A single card; `attributes` are those of its game." })

/** A sealed product: one price, no split by finish (the lake keeps it under `Standard`). Spec: SealedProduct. */
export const sealed = (dialect: Dialect) =>
  Schema.Struct({
    ...common(dialect),
    productType: Schema.Literal("sealed"),
    productCategory: Schema.String,
    prices: priceBlocks(dialect)
  }).annotate({ title: "SealedProduct", description: "A sealed product. It has one price, with no split by finish." })

/**
 * One item of `POST /v1/products/search`; `productType` says which. Spec: SealedProduct; beyond the spec: section 6.
 */
export const product = (dialect: Dialect) =>
  Schema.Union([card(dialect), sealed(dialect)]).annotate({
    title: "Product",
    description: "`productType` says which."
  })
