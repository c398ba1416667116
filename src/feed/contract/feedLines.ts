import { Schema } from "effect"
import { absent, CatalogId, Count, JsonObject, ReleaseDate } from "./Catalogue.ts"
import type { Dialect } from "./dialect/dialects.ts"
import { priceBlocks } from "./Prices.ts"
import { externalIds } from "./Product.ts"

/** A name in another language. */
const Translation = Schema.Struct({ name: absent(Schema.String) })

/** A product as the catalogue's feed file has it, without prices and without the expansion itself. Beyond the spec: section 8. */
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
  Schema.Struct({
    productId: CatalogId,
    pricesByFinish: absent(Schema.Record(Schema.String, priceBlocks(dialect)))
  })
