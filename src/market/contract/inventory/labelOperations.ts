import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { Conflict } from "./InventoryErrors.ts"
import { DeleteBody, Deleted } from "./inventoryOperations.ts"
import { Label, LabelChange, NewLabel } from "./Labels.ts"

const read = operations(common, "inventory:read")
const write = operations(commonOfWrites, "inventory:write")

const list = { success: Schema.Array(Label) }
const create = { payload: NewLabel, success: Label, error: [Conflict] } as const
const change = { payload: LabelChange, success: Label, error: [Conflict] } as const
const remove = { payload: DeleteBody, success: Deleted }

/** Tags and locations: four operations each, with bare arrays as lists. Beyond the spec: sections 1 and 16. */
export const labelOperations = HttpApiGroup.make("labels").add(
  read("GET", "tags", "/v1/inventory/tags", "All tags", list),
  write("POST", "createTag", "/v1/inventory/tags", "Make a tag", create),
  write("PATCH", "changeTag", "/v1/inventory/tags/:name", "Change a tag", change),
  write("DELETE", "deleteTag", "/v1/inventory/tags/:name", "Delete a tag", remove),
  read("GET", "locations", "/v1/inventory/locations", "All locations", list),
  write("POST", "createLocation", "/v1/inventory/locations", "Make a location", create),
  write("PATCH", "changeLocation", "/v1/inventory/locations/:name", "Change a location", change),
  write("DELETE", "deleteLocation", "/v1/inventory/locations/:name", "Delete a location", remove)
)
