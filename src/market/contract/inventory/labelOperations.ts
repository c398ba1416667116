import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../contract/Errors.ts"
import { Conflict } from "./InventoryErrors.ts"
import { DeleteBody, Deleted } from "./inventoryOperations.ts"
import { Label, LabelChange, NewLabel } from "./Labels.ts"

const read = operations(common, "inventory:read")
const write = operations(commonOfWrites, "inventory:write")

/** Tags and locations: four operations each, with bare arrays as lists. Beyond the spec: sections 1 and 16. */
export const labelOperations = HttpApiGroup.make("labels").add(
  read("GET", "tags", "/v1/inventory/tags", "All tags", { success: Schema.Array(Label) }),
  write("POST", "createTag", "/v1/inventory/tags", "Make a tag", {
    payload: NewLabel,
    success: Label,
    error: [Conflict]
  }),
  write("PATCH", "changeTag", "/v1/inventory/tags/:name", "Change a tag", {
    payload: LabelChange,
    success: Label,
    error: [Conflict]
  }),
  write("DELETE", "deleteTag", "/v1/inventory/tags/:name", "Delete a tag", { payload: DeleteBody, success: Deleted }),
  read("GET", "locations", "/v1/inventory/locations", "All locations", { success: Schema.Array(Label) }),
  write("POST", "createLocation", "/v1/inventory/locations", "Make a location", {
    payload: NewLabel,
    success: Label,
    error: [Conflict]
  }),
  write("PATCH", "changeLocation", "/v1/inventory/locations/:name", "Change a location", {
    payload: LabelChange,
    success: Label,
    error: [Conflict]
  }),
  write("DELETE", "deleteLocation", "/v1/inventory/locations/:name", "Delete a location", {
    payload: DeleteBody,
    success: Deleted
  })
)
