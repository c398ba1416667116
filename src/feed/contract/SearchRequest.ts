import { Schema } from "effect"
import { Count, GameId, matching } from "./Catalogue.ts"
import { offsetBody } from "./Paging.ts"

/** An id in a request: a number or a digit string. Beyond the spec: section 1. */
export const RequestId = Schema.Union([Schema.Int, Schema.String.check(matching(/^-?\d{1,16}$/))])
const someIds = Schema.Array(RequestId).check(Schema.isMinLength(1), Schema.isMaxLength(200))
const sourceIds = Schema.Array(Count).check(Schema.isMinLength(1), Schema.isMaxLength(200))

const AttributeValue = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]))

/** `{op, values[]}`, `{op: = > <, value}`, `{min, max}` or `{value}`. Beyond the spec: section 6. */
export const AttributeFilter = Schema.Struct({
  op: Schema.optionalKey(Schema.Literals(["and", "or", "=", ">", "<"])),
  value: Schema.optionalKey(AttributeValue),
  values: Schema.optionalKey(Schema.Array(AttributeValue)),
  min: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  max: Schema.optionalKey(Schema.NullOr(Schema.Finite))
}).annotate({
  title: "AttributeFilter",
  description: "`{op, values}`, `{op, value}` with `=`, `>` or `<`, `{min, max}`, or `{value}`."
})
export type AttributeFilter = typeof AttributeFilter.Type

/** Body of `POST /v1/products/search`: filters, sort and (for older clients) paging. Beyond the spec: section 6. */
export const SearchRequest = Schema.Struct({
  ...offsetBody,
  name: Schema.optionalKey(Schema.NonEmptyString),
  printNumber: Schema.optionalKey(Schema.String),
  nameSlug: Schema.optionalKey(Schema.String),
  productIds: Schema.optionalKey(someIds),
  expansionId: Schema.optionalKey(Schema.Union([someIds, RequestId])),
  sourceEur: Schema.optionalKey(sourceIds),
  sourceUsd: Schema.optionalKey(sourceIds),
  productType: Schema.optionalKey(
    Schema.Struct({
      op: Schema.Literals(["and", "or"]),
      values: Schema.Array(Schema.Literals(["card", "sealed"])).check(Schema.isMinLength(1))
    }).annotate({ title: "TypeFilter" })
  ),
  productCategory: Schema.optionalKey(Schema.String),
  gameFilters: Schema.optionalKey(
    Schema.Struct({
      game: GameId,
      filters: Schema.optionalKey(Schema.Record(Schema.String, AttributeFilter))
    }).annotate({ title: "GameFilter", description: "Only this game; `filters` by attribute." })
  ),
  listings: Schema.optionalKey(
    Schema.Struct({
      deliveryCountry: Schema.optionalKey(Schema.String),
      inStock: Schema.optionalKey(Schema.Boolean),
      condition: Schema.optionalKey(Schema.Array(Schema.String)),
      language: Schema.optionalKey(Schema.Array(Schema.String)),
      finish: Schema.optionalKey(Schema.Array(Schema.String))
    }).annotate({
      title: "ListingFilter",
      description: "Adds `availability` to every product, counting listings of these kinds."
    })
  ),
  sortBy: Schema.optionalKey(Schema.Literals(["printNumber", "name", "releaseDate"])),
  sortDirection: Schema.optionalKey(Schema.Literals(["asc", "desc"]))
}).annotate({
  title: "SearchRequest",
  description:
    "All filters must hold. `limit` and `offset` in the query override those in the body. `sourceEur` and `sourceUsd` cannot be combined with `listings`."
})
export type SearchRequest = typeof SearchRequest.Type
