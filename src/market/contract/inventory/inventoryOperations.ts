import { Schema } from "effect"
import { Multipart } from "effect/http"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { SellerAccountNotActive } from "../account/AccountErrors.ts"
import { common, NotFound, PayloadTooLarge, commonOfWrites } from "../../../contract/Errors.ts"
import { Bucket } from "../../../contract/Bucket.ts"
import { limits, partBytes, operationBuckets } from "../Limits.ts"
import { CursorPage, cursorQuery, OffsetPage } from "../../../contract/Paging.ts"
import { needs } from "../../../contract/Scopes.ts"
import {
  Conflict,
  CurrencyMismatch,
  InsufficientQuantity,
  InvalidCount,
  InvalidFinish,
  InvalidLanguage,
  LocationNotFound,
  PhotoNotFound,
  TagNotFound
} from "./InventoryErrors.ts"
import { InventorySearch, lineFilters } from "./InventoryFilters.ts"
import { ChangedLine, InventoryLine } from "./InventoryLine.ts"
import { CreatedLines, CreateLines, LineChange } from "./LineRequests.ts"

const line = { inventoryId: Schema.String }
const read = needs("inventory:read")
const write = needs("inventory:write")

/** No body, read as null, or any JSON object: clients send either with a DELETE. Beyond the spec: section 1. */
export const DeleteBody = [Schema.Null, Schema.Struct({})] as const

/** What was asked for is gone. */
export const Deleted = Schema.Struct({ deleted: Schema.Literal(true) }).annotate({ title: "Deleted" })

/** Pictures of a line, 1 to 10 in parts named `files`. Beyond the spec: section 10. */
const Photos = Schema.Struct({ files: Multipart.FilesSchema }).pipe(
  HttpApiSchema.asMultipartStream({ maxParts: limits.photosPerLine + 1, maxFileSize: partBytes(limits.photoBytes) })
)

/** The caller's stock. Spec: `GET /v1/inventory`; beyond the spec: section 10. */
export const inventoryOperations = HttpApiGroup.make("inventory").add(
  HttpApiEndpoint.get("lines", "/v1/inventory", {
    query: { ...cursorQuery, ...lineFilters },
    success: CursorPage(InventoryLine),
    error: common
  })
    .annotate(OpenApi.Summary, "The stock, by line")
    .annotateMerge(read),
  HttpApiEndpoint.post("createLines", "/v1/inventory", {
    payload: CreateLines,
    success: CreatedLines,
    error: [...commonOfWrites, SellerAccountNotActive, CurrencyMismatch]
  })
    .annotate(OpenApi.Summary, "Add lines to the stock")
    .annotateMerge(write),
  HttpApiEndpoint.post("searchLines", "/v1/inventory/search", {
    payload: InventorySearch,
    success: OffsetPage(InventoryLine),
    error: common
  })
    .annotate(OpenApi.Summary, "Search the stock by product and line")
    .annotateMerge(read)
    .annotate(Bucket, operationBuckets.inventorySearch),
  HttpApiEndpoint.get("line", "/v1/inventory/:inventoryId", {
    params: line,
    success: InventoryLine,
    error: [...common, NotFound]
  })
    .annotate(OpenApi.Summary, "A line of the stock")
    .annotateMerge(read),
  HttpApiEndpoint.patch("changeLine", "/v1/inventory/:inventoryId", {
    params: line,
    payload: LineChange,
    success: ChangedLine,
    error: [
      ...commonOfWrites,
      NotFound,
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
    .annotate(OpenApi.Summary, "Change a line, or split it")
    .annotateMerge(write)
    // Beyond the spec: section 10, the one body whose unknown keys are refused.
    .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" }),
  HttpApiEndpoint.delete("deleteLine", "/v1/inventory/:inventoryId", {
    params: line,
    payload: DeleteBody,
    success: Deleted,
    error: [...commonOfWrites, NotFound]
  })
    .annotate(OpenApi.Summary, "Delete a line")
    .annotateMerge(write),
  HttpApiEndpoint.put("setPhotos", "/v1/inventory/:inventoryId/media", {
    params: line,
    payload: Photos,
    success: InventoryLine,
    error: [...common, NotFound, PayloadTooLarge]
  })
    .annotate(OpenApi.Summary, "Replace the photos of a line")
    .annotateMerge(write)
)
