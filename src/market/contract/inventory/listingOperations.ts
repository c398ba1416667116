import { operations } from "../operationRows.ts"
import { HttpApiGroup } from "effect/http-api"
import { SellerAccountNotActive } from "../account/accountOperations.ts"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { CursorPage, cursorQuery } from "../../../feed/contract/Paging.ts"
import { AlreadyListed, CurrencyMismatch, InsufficientQuantity } from "./InventoryErrors.ts"
import { lineFilters } from "./InventoryFilters.ts"
import { ChangedLine, InventoryLine } from "./InventoryLine.ts"
import { ListLine, RepriceLine, UnlistLine } from "./LineRequests.ts"

const { forSale: _forSale, ...filters } = lineFilters

const read = operations(common, "listings:read")
const write = operations(commonOfWrites, "listings:write")

/** The caller's own lines for sale. Spec: listings; beyond the spec: section 10. */
export const listingOperations = HttpApiGroup.make("listings").add(
  read("GET", "listings", "/v1/listings", "The lines that are for sale", {
    query: { ...cursorQuery, ...filters },
    success: CursorPage(InventoryLine)
  }),
  write("POST", "list", "/v1/inventory/:inventoryId/listing", "Put a line up for sale", {
    payload: ListLine,
    success: ChangedLine,
    error: [SellerAccountNotActive, AlreadyListed, InsufficientQuantity, CurrencyMismatch]
  }),
  write("PATCH", "reprice", "/v1/inventory/:inventoryId/listing", "Change the price of a line that is for sale", {
    payload: RepriceLine,
    success: InventoryLine,
    error: [CurrencyMismatch]
  }),
  write("DELETE", "unlist", "/v1/inventory/:inventoryId/listing", "Take a line off sale", {
    payload: UnlistLine,
    success: InventoryLine,
    error: [InsufficientQuantity]
  })
)
