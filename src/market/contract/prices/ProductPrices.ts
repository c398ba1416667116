import { Schema } from "effect"
import { CatalogId } from "../../../contract/Catalogue.ts"
import { dialects } from "../../../contract/dialects.ts"
import { priceBlocks } from "../../../contract/Prices.ts"

/** The present prices of a product. Beyond the spec: section 7. */
export const ProductPrices = Schema.Struct({
  productId: CatalogId,
  pricesByFinish: Schema.Record(Schema.String, priceBlocks(dialects.spec))
}).annotate({
  title: "ProductPrices",
  description: "The present prices of a product, by finish."
})
