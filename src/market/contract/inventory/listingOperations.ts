import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SellerAccountNotActive } from "../account/AccountErrors.ts"
import { common, NotFound, commonOfWrites } from "../../../contract/Errors.ts"
import { CursorPage, cursorQuery } from "../../../contract/Paging.ts"
import { needs } from "../../../contract/Scopes.ts"
import { AlreadyListed, CurrencyMismatch, InsufficientQuantity } from "./InventoryErrors.ts"
import { lineFilters } from "./InventoryFilters.ts"
import { ChangedLine, InventoryLine } from "./InventoryLine.ts"
import { ListLine, RepriceLine, UnlistLine } from "./LineRequests.ts"

const line = { inventoryId: Schema.String }
const write = needs("listings:write")
const { forSale: _forSale, ...filters } = lineFilters

/** The caller's own lines for sale. Spec: listings; beyond the spec: section 10. */
export const listingOperations = HttpApiGroup.make("listings").add(
  HttpApiEndpoint.get("listings", "/v1/listings", {
    query: { ...cursorQuery, ...filters },
    success: CursorPage(InventoryLine),
    error: common
  })
    .annotate(OpenApi.Summary, "The lines that are for sale")
    .annotateMerge(needs("listings:read")),
  HttpApiEndpoint.post("list", "/v1/inventory/:inventoryId/listing", {
    params: line,
    payload: ListLine,
    success: ChangedLine,
    error: [...commonOfWrites, NotFound, SellerAccountNotActive, AlreadyListed, InsufficientQuantity, CurrencyMismatch]
  })
    .annotate(OpenApi.Summary, "Put a line up for sale")
    .annotateMerge(write),
  HttpApiEndpoint.patch("reprice", "/v1/inventory/:inventoryId/listing", {
    params: line,
    payload: RepriceLine,
    success: InventoryLine,
    error: [...commonOfWrites, NotFound, CurrencyMismatch]
  })
    .annotate(OpenApi.Summary, "Change the price of a line that is for sale")
    .annotateMerge(write),
  HttpApiEndpoint.delete("unlist", "/v1/inventory/:inventoryId/listing", {
    params: line,
    payload: UnlistLine,
    success: InventoryLine,
    error: [...commonOfWrites, NotFound, InsufficientQuantity]
  })
    .annotate(OpenApi.Summary, "Take a line off sale")
    .annotateMerge(write)
)
