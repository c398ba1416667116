import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { common, NotFound, commonOfWrites } from "../../../contract/Errors.ts"
import { needs } from "../../../contract/Scopes.ts"
import { Conflict } from "./InventoryErrors.ts"
import { DeleteBody, Deleted } from "./inventoryOperations.ts"
import { Label, LabelChange, NewLabel } from "./Labels.ts"

const named = { name: Schema.String }
const read = needs("inventory:read")
const write = needs("inventory:write")

/** Tags and locations: four operations each, with bare arrays as lists. Beyond the spec: sections 1 and 16. */
export const labelOperations = HttpApiGroup.make("labels").add(
  HttpApiEndpoint.get("tags", "/v1/inventory/tags", { success: Schema.Array(Label), error: common })
    .annotate(OpenApi.Summary, "All tags")
    .annotateMerge(read),
  HttpApiEndpoint.post("createTag", "/v1/inventory/tags", {
    payload: NewLabel,
    success: Label,
    error: [...commonOfWrites, Conflict]
  })
    .annotate(OpenApi.Summary, "Make a tag")
    .annotateMerge(write),
  HttpApiEndpoint.patch("changeTag", "/v1/inventory/tags/:name", {
    params: named,
    payload: LabelChange,
    success: Label,
    error: [...commonOfWrites, NotFound, Conflict]
  })
    .annotate(OpenApi.Summary, "Change a tag")
    .annotateMerge(write),
  HttpApiEndpoint.delete("deleteTag", "/v1/inventory/tags/:name", {
    params: named,
    payload: DeleteBody,
    success: Deleted,
    error: [...commonOfWrites, NotFound]
  })
    .annotate(OpenApi.Summary, "Delete a tag")
    .annotateMerge(write),
  HttpApiEndpoint.get("locations", "/v1/inventory/locations", {
    success: Schema.Array(Label),
    error: common
  })
    .annotate(OpenApi.Summary, "All locations")
    .annotateMerge(read),
  HttpApiEndpoint.post("createLocation", "/v1/inventory/locations", {
    payload: NewLabel,
    success: Label,
    error: [...commonOfWrites, Conflict]
  })
    .annotate(OpenApi.Summary, "Make a location")
    .annotateMerge(write),
  HttpApiEndpoint.patch("changeLocation", "/v1/inventory/locations/:name", {
    params: named,
    payload: LabelChange,
    success: Label,
    error: [...commonOfWrites, NotFound, Conflict]
  })
    .annotate(OpenApi.Summary, "Change a location")
    .annotateMerge(write),
  HttpApiEndpoint.delete("deleteLocation", "/v1/inventory/locations/:name", {
    params: named,
    payload: DeleteBody,
    success: Deleted,
    error: [...commonOfWrites, NotFound]
  })
    .annotate(OpenApi.Summary, "Delete a location")
    .annotateMerge(write)
)
