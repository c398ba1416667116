import { Schema } from "effect"
import { CustomId } from "../inventory/InventoryLine.ts"
import { LineChange } from "../inventory/LineRequests.ts"
import { limits } from "../Limits.ts"

/** A change of one line, found by its id or its customId. With `customId` and no id, the customId is not changed. */
export const UpdateItem = Schema.Struct({
  ...LineChange.fields,
  inventoryId: Schema.optionalKey(Schema.String),
  customId: Schema.optionalKey(Schema.NullOr(CustomId))
}).annotate({
  title: "UpdateItem",
  description: "A change of one line, found by `inventoryId`, or else by `customId`."
})
export type UpdateItem = typeof UpdateItem.Type

/** Up to 200 changes; those that can be made are made together. Beyond the spec: section 11. */
export const BulkUpdate = Schema.Struct({
  items: Schema.Array(UpdateItem).check(Schema.isMinLength(1), Schema.isMaxLength(limits.itemsPerUpdate))
}).annotate({
  title: "BulkUpdate",
  description: "Up to 200 changes; those that can be made are made together."
})

/** Why an item was not changed. `INVALID_ITEM`: no line is named, one line twice, or what the product has not. */
export const UpdateErrorCode = Schema.Literals([
  "NOT_FOUND",
  "INSUFFICIENT_QUANTITY",
  "INVALID_COUNT",
  "INVALID_ITEM",
  "LOCATION_NOT_FOUND",
  "TAG_NOT_FOUND"
])

/** What became of each item, in the order of the request. */
export const UpdateResults = Schema.Struct({
  results: Schema.Array(
    Schema.Union([
      Schema.Struct({ index: Schema.Int, status: Schema.Literal("ok"), inventoryId: Schema.String }).annotate({
        title: "UpdatedLine"
      }),
      Schema.Struct({
        index: Schema.Int,
        status: Schema.Literal("error"),
        code: UpdateErrorCode,
        data: Schema.Record(Schema.String, Schema.Unknown)
      }).annotate({ title: "UpdateError" })
    ])
  )
}).annotate({
  title: "UpdateResults",
  description: "What became of each item, in the order of the request."
})
