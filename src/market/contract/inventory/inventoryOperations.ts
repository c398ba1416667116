import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApi, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { SellerAccountNotActive } from "../account/accountOperations.ts"
import { common, PayloadTooLarge, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { limits, partBytes, operationBuckets } from "../Limits.ts"
import { CursorPage, cursorQuery, OffsetPage } from "../../../feed/contract/Paging.ts"
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
import { InventorySearch, lineFilters } from "./InventoryFilters.ts"
import { ChangedLine, InventoryLine } from "./InventoryLine.ts"
import { CreatedLines, CreateLines, LineChange, ListLine, RepriceLine, UnlistLine } from "./LineRequests.ts"

/** No body, read as null, or any JSON object: clients send either with a DELETE. Beyond the spec: section 1. */
export const DeleteBody = [Schema.Null, Schema.Struct({})] as const

/** What was asked for is gone. */
export const Deleted = Schema.Struct({ deleted: Schema.Literal(true) }).annotate({ title: "Deleted" })

/** Pictures of a line, 1 to 10 in parts named `files`. Beyond the spec: section 10. */
const Photos = Schema.Struct({ files: Multipart.FilesSchema }).pipe(
  HttpApiSchema.asMultipartStream({ maxParts: limits.photosPerLine + 1, maxFileSize: partBytes(limits.photoBytes) })
)

const read = operations(common, "inventory:read")
const write = operations(commonOfWrites, "inventory:write")
const upload = operations(common, "inventory:write")

/** The caller's stock. Spec: `GET /v1/inventory`; beyond the spec: section 10. */
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
    // Beyond the spec: section 10, the one body whose unknown keys are refused.
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

/** The caller's own lines for sale. Spec: listings; beyond the spec: section 10. */
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
    {
      payload: RepriceLine,
      success: InventoryLine,
      error: [CurrencyMismatch]
    }
  ),
  writeListings("DELETE", "unlist", "/v1/inventory/:inventoryId/listing", "Take a line off sale", {
    payload: UnlistLine,
    success: InventoryLine,
    error: [InsufficientQuantity]
  })
)
