import { Schema } from "effect"
import { changelogEntry } from "./Changelog.ts"
import type { Dialect } from "./dialect/dialects.ts"
import { Expansion, Game, absent, CatalogId, Count, JsonObject, ReleaseDate } from "./Catalogue.ts"
import { product, externalIds } from "./Product.ts"
import { priceBlocks } from "./Prices.ts"

/** A name in another language. */
const Translation = Schema.Struct({ name: absent(Schema.String) })

/** A product in the catalogue's feed file, without prices and expansion. Beyond the spec: section 8. */
export const catalogLine = (dialect: Dialect) =>
  Schema.Struct({
    id: CatalogId,
    productType: Schema.Literals(["card", "sealed"]),
    name: Schema.String,
    nameSlug: absent(Schema.String),
    slug: absent(Schema.String),
    expansionId: absent(CatalogId),
    expansionSlug: absent(Schema.String),
    printNumber: absent(Schema.String),
    variant: absent(Schema.String),
    rarity: absent(Schema.String),
    finishes: absent(Schema.Array(Schema.NonEmptyString)),
    languages: absent(Schema.Array(Schema.String)),
    imageUrl: absent(Schema.String),
    imageBackUrl: absent(Schema.String),
    productCategory: absent(Schema.String),
    externalIds: absent(externalIds(dialect)),
    translations: absent(Schema.Record(Schema.String, Translation)),
    attributes: absent(JsonObject)
  })

/** An expansion as its feed file has it. */
export const expansionLine = Schema.Struct({
  id: CatalogId,
  name: Schema.String,
  slug: absent(Schema.String),
  code: absent(Schema.String),
  releaseDate: absent(ReleaseDate),
  cardCount: absent(Count),
  sealedProductCount: absent(Count),
  attributes: absent(JsonObject)
})

/** The prices of one product by finish; sealed products are under `Standard`. */
export const priceLine = (dialect: Dialect) =>
  Schema.Struct({ productId: CatalogId, pricesByFinish: absent(Schema.Record(Schema.String, priceBlocks(dialect))) })

/** What each feed file's records are called here; pages of the same name have others. */
export const feedKinds = { catalog: "catalog", expansions: "feedExpansions", prices: "prices" } as const
export type FeedKind = (typeof feedKinds)[keyof typeof feedKinds]

/** The lists and feed files that a game is read from. */
export const PageKind = Schema.Literals([
  "games",
  "expansions",
  "products",
  "changelog",
  "catalog",
  "feedExpansions",
  "prices"
])
export type PageKind = typeof PageKind.Type

/** True if the records of a list have words that differ between dialects and so reveal the dialect. */
export const isWordy = (kind: PageKind): kind is "products" | "catalog" | "prices" =>
  kind === "products" || kind === "catalog" || kind === "prices"

export const records = (dialect: Dialect): { readonly [Kind in PageKind]: Schema.Codec<unknown, unknown> } => ({
  games: Game,
  expansions: Expansion,
  products: product(dialect),
  changelog: changelogEntry(dialect),
  catalog: catalogLine(dialect),
  feedExpansions: expansionLine,
  prices: priceLine(dialect)
})
