import { Schema } from "effect"
import { CatalogId, GameId } from "../../../feed/contract/Catalogue.ts"
import { limits } from "../Limits.ts"
import { RequestId, SearchRequest } from "../../../feed/contract/SearchRequest.ts"
import { Condition } from "./InventoryLine.ts"

const Text = Schema.NonEmptyString.check(Schema.isMaxCodePoints(limits.customIdLength))

/** Filters of `GET /v1/inventory` and of `GET /v1/listings`; all of them must hold. Beyond the spec: section 10. */
export const lineFilters = {
  game: Schema.optionalKey(GameId),
  productId: Schema.optionalKey(Schema.Array(CatalogId).check(Schema.isMaxLength(200))),
  forSale: Schema.optionalKey(Schema.Boolean),
  condition: Schema.optionalKey(Condition),
  language: Schema.optionalKey(Schema.NonEmptyString),
  finish: Schema.optionalKey(Schema.NonEmptyString),
  graded: Schema.optionalKey(Schema.Boolean),
  customId: Schema.optionalKey(Text),
  customIdPrefix: Schema.optionalKey(Text),
  customIdContains: Schema.optionalKey(Text),
  commentContains: Schema.optionalKey(Text),
  location: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))),
  tags: Schema.optionalKey(Schema.Array(Schema.NonEmptyString).check(Schema.isMaxLength(limits.tagsPerLine)))
}

/** Any of the names, or all of them; null means a line without one. */
const NameFilter = Schema.Struct({
  op: Schema.Literals(["and", "or"]),
  values: Schema.Array(Schema.NullOr(Schema.String)).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(limits.namesPerFilter)
  )
}).annotate({
  title: "NameFilter",
  description: "Any of the names (`or`) or all of them (`and`); null means a line without one."
})

/** From `min` to `max`, both included; without one of them, the range is open there. */
const Range = Schema.Struct({
  min: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  max: Schema.optionalKey(Schema.NullOr(Schema.Finite))
}).annotate({
  title: "Range",
  description: "From `min` to `max`, both included; without one of them, the range is open there."
})

const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters } =
  SearchRequest.fields

/** What an inventory search and an export choose: product filters and line filters together. */
export const InventoryFilters = Schema.Struct({
  name,
  printNumber,
  nameSlug,
  productIds,
  expansionId,
  productType,
  productCategory,
  gameFilters,
  game: lineFilters.game,
  productId: Schema.optionalKey(Schema.Union([RequestId, Schema.Array(RequestId).check(Schema.isMaxLength(200))])),
  forSale: lineFilters.forSale,
  condition: Schema.optionalKey(Schema.Array(Condition)),
  language: Schema.optionalKey(Schema.Array(Schema.String)),
  finish: Schema.optionalKey(Schema.Array(Schema.String)),
  graded: lineFilters.graded,
  customId: lineFilters.customId,
  customIdPrefix: lineFilters.customIdPrefix,
  customIdContains: lineFilters.customIdContains,
  commentContains: lineFilters.commentContains,
  quantity: Schema.optionalKey(Range),
  /** In the seller's currency; a line that is not for sale has none. */
  listingPrice: Schema.optionalKey(Range),
  location: Schema.optionalKey(NameFilter),
  tags: Schema.optionalKey(NameFilter)
}).annotate({
  title: "InventoryFilters",
  description: "Filters of products and lines together; all of them must hold."
})
export type InventoryFilters = typeof InventoryFilters.Type

/** Body of `POST /v1/inventory/search`; it may lag the list by seconds. Beyond the spec: section 10. */
export const InventorySearch = Schema.Struct({
  ...InventoryFilters.fields,
  limit: SearchRequest.fields.limit,
  offset: SearchRequest.fields.offset
}).annotate({
  title: "InventorySearch",
  description: "All filters must hold. The answer may lag the list by seconds. `offset` may not pass 10,000."
})
