import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApi, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { SellerAccountNotActive } from "../account/accountOperations.ts"
import { common, PayloadTooLarge, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { limits, partBytes, operationBuckets } from "../Limits.ts"
import { CursorPage, cursorQuery, offsetBody, OffsetPage } from "../../../feed/contract/Paging.ts"
import {
  Conflict,
  CurrencyMismatch,
  InsufficientQuantity,
  InvalidCount,
  InvalidFinish,
  InvalidLanguage,
  LocationNotFound,
  PhotoNotFound,
  TagNotFound,
  AlreadyListed
} from "./InventoryErrors.ts"
import {
  ChangedLine,
  InventoryLine,
  CreatedLines,
  CreateLines,
  LineChange,
  ListLine,
  RepriceLine,
  UnlistLine,
  Condition
} from "./InventoryLine.ts"
import { CatalogId, GameId } from "../../../feed/contract/Catalogue.ts"
import { RequestId, SearchRequest } from "../../../feed/contract/SearchRequest.ts"

const Text = Schema.NonEmptyString.check(Schema.isMaxCodePoints(limits.customIdLength))

/** Filters of `GET /v1/inventory` and `GET /v1/listings`, combined by AND. Beyond the spec: section 10. */
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

/** Matches any of the values, or all. Null matches a line without one. */
const valuesFilter = <S extends Schema.Top>(value: S) =>
  Schema.Struct({
    op: Schema.Literals(["and", "or"]),
    values: Schema.Array(Schema.NullOr(value)).check(Schema.isMinLength(1), Schema.isMaxLength(limits.namesPerFilter))
  })
const NameFilter = valuesFilter(Schema.String).annotate({
  title: "NameFilter",
  description: "Any of the names (`or`) or all of them (`and`); null means a line without one."
})
const ConditionFilter = valuesFilter(Condition).annotate({
  title: "ConditionFilter",
  description: "Any of the conditions (`or`); null means a line without one. `and` with several finds nothing."
})

/** A list, which means any of its values, or a record that says how they are combined. */
const listOr = <S extends Schema.Top, R extends Schema.Top>(value: S, record: R) =>
  Schema.optionalKey(
    Schema.Union([Schema.Array(value), record]).annotate({ description: "A list of values alone means any of them." })
  )

/** Range from `min` to `max`, inclusive. A missing bound is open. */
const Range = Schema.Struct({
  min: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
  max: Schema.optionalKey(Schema.NullOr(Schema.Finite))
}).annotate({
  title: "Range",
  description: "From `min` to `max`, both included; without one of them, the range is open there."
})

const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters } =
  SearchRequest.fields

/** Product and line filters of an inventory search or export. */
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
  condition: listOr(Condition, ConditionFilter),
  language: listOr(Schema.String, NameFilter),
  finish: listOr(Schema.String, NameFilter),
  graded: lineFilters.graded,
  customId: lineFilters.customId,
  customIdPrefix: lineFilters.customIdPrefix,
  customIdContains: lineFilters.customIdContains,
  commentContains: lineFilters.commentContains,
  quantity: Schema.optionalKey(Range),
  /** In the seller's currency. Lines that are not for sale have no price. */
  listingPrice: Schema.optionalKey(Range),
  location: Schema.optionalKey(NameFilter),
  tags: Schema.optionalKey(NameFilter)
}).annotate({
  title: "InventoryFilters",
  description: "Filters of products and lines together; all of them must hold."
})
export type InventoryFilters = typeof InventoryFilters.Type

/** Body of `POST /v1/inventory/search`, which may lag the list by seconds. Beyond the spec: section 10. */
export const InventorySearch = Schema.Struct({
  ...InventoryFilters.fields,
  ...offsetBody,
  sortBy: Schema.optionalKey(Schema.Literals(["name", "quantity", "listingPrice", "lastModified"])),
  sortDirection: SearchRequest.fields.sortDirection
}).annotate({
  title: "InventorySearch",
  description:
    "All filters must hold. Without `sortBy`, lines come by id; lines without a price come last. The answer may lag the list by seconds. `offset` may not pass 10,000."
})

/** No body (read as null) or any JSON object: clients send both with a DELETE. Beyond the spec: section 1. */
export const DeleteBody = [Schema.Null, Schema.Struct({})] as const

/** The resource was deleted. */
export const Deleted = Schema.Struct({ deleted: Schema.Literal(true) }).annotate({ title: "Deleted" })

/** Pictures of a line, 1 to 10 in parts named `files`. Beyond the spec: section 10. */
const Photos = Schema.Struct({ files: Multipart.FilesSchema }).pipe(
  HttpApiSchema.asMultipartStream({ maxParts: limits.photosPerLine + 1, maxFileSize: partBytes(limits.photoBytes) })
)

const read = operations(common, "inventory:read")
const write = operations(commonOfWrites, "inventory:write")
const upload = operations(common, "inventory:write")

/** The caller's inventory. Spec: `GET /v1/inventory`; beyond the spec: section 10. */
export const inventoryOperations = HttpApiGroup.make("inventory").add(
  read("GET", "lines", "/v1/inventory", "The stock, by line", {
    query: { ...cursorQuery, ...lineFilters },
    success: CursorPage(InventoryLine)
  }),
  write("POST", "createLines", "/v1/inventory", "Add lines to the stock", {
    payload: CreateLines,
    success: CreatedLines,
    error: [SellerAccountNotActive, CurrencyMismatch]
  }),
  read("POST", "searchLines", "/v1/inventory/search", "Search the stock by product and line", {
    payload: InventorySearch,
    success: OffsetPage(InventoryLine),
    bucket: operationBuckets.inventorySearch
  }),
  read("GET", "line", "/v1/inventory/:inventoryId", "A line of the stock", { success: InventoryLine }),
  write("PATCH", "changeLine", "/v1/inventory/:inventoryId", "Change a line, or split it", {
    payload: LineChange,
    success: ChangedLine,
    error: [
      InsufficientQuantity,
      Conflict,
      InvalidCount,
      InvalidFinish,
      InvalidLanguage,
      LocationNotFound,
      TagNotFound,
      PhotoNotFound
    ]
  })
    // The only body whose unknown keys are refused. Beyond the spec: section 10.
    .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }),
  write("DELETE", "deleteLine", "/v1/inventory/:inventoryId", "Delete a line", {
    payload: DeleteBody,
    success: Deleted
  }),
  upload("PUT", "setPhotos", "/v1/inventory/:inventoryId/media", "Replace the photos of a line", {
    payload: Photos,
    success: InventoryLine,
    error: [PayloadTooLarge]
  })
)

const { forSale: _forSale, ...listingFilters } = lineFilters

const readListings = operations(common, "listings:read")
const writeListings = operations(commonOfWrites, "listings:write")

/** The caller's lines for sale. Spec: listings; beyond the spec: section 10. */
export const listingOperations = HttpApiGroup.make("listings").add(
  readListings("GET", "listings", "/v1/listings", "The lines that are for sale", {
    query: { ...cursorQuery, ...listingFilters },
    success: CursorPage(InventoryLine)
  }),
  writeListings("POST", "list", "/v1/inventory/:inventoryId/listing", "Put a line up for sale", {
    payload: ListLine,
    success: ChangedLine,
    error: [SellerAccountNotActive, AlreadyListed, InsufficientQuantity, CurrencyMismatch]
  }),
  writeListings(
    "PATCH",
    "reprice",
    "/v1/inventory/:inventoryId/listing",
    "Change the price of a line that is for sale",
    { payload: RepriceLine, success: InventoryLine, error: [CurrencyMismatch] }
  ),
  writeListings("DELETE", "unlist", "/v1/inventory/:inventoryId/listing", "Take a line off sale", {
    payload: UnlistLine,
    success: InventoryLine,
    error: [InsufficientQuantity]
  })
)
