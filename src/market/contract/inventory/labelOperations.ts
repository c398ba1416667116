import { operations } from "../operationRows.ts"
import { Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { common, commonOfWrites } from "../../../feed/contract/Errors.ts"
import { Conflict } from "./InventoryErrors.ts"
import { DeleteBody, Deleted } from "./inventoryOperations.ts"

const Name = Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))
const Look = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxCodePoints(50))))

/** A tag or location of the account, identified by its name, ignoring case. Beyond the spec: section 16. */
export const Label = Schema.Struct({
  name: Schema.String,
  color: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String)
}).annotate({ title: "Label", description: "A tag or a location, known by its name; names are compared without case." })
export type Label = typeof Label.Type

/** A new label. With `upsert`, an existing one is changed. */
export const CreateLabel = Schema.Struct({
  name: Name,
  color: Look,
  icon: Look,
  upsert: Schema.optionalKey(Schema.Boolean)
}).annotate({
  title: "CreateLabel",
  description: "A new tag or location; with `upsert`, one that exists is changed instead."
})

/** Changes of a label. A new name applies to every line. */
export const LabelChange = Schema.Struct({ name: Schema.optionalKey(Name), color: Look, icon: Look }).annotate({
  title: "LabelChange",
  description: "A new name follows on every line."
})

const read = operations(common, "inventory:read")
const write = operations(commonOfWrites, "inventory:write")

const list = { success: Schema.Array(Label) }
const create = { payload: CreateLabel, success: Label, error: [Conflict] } as const
const change = { payload: LabelChange, success: Label, error: [Conflict] } as const
const remove = { payload: DeleteBody, success: Deleted }

/** Tags and locations: four operations each. Lists are plain arrays. Beyond the spec: sections 1 and 16. */
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
