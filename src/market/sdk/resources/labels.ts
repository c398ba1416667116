import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { LabelChange, CreateLabel } from "../wire.ts"

/** Labels of the stock, identified by name. Reading needs `inventory:read`, the rest `inventory:write`. */
const labels =
  (kind: "Tag" | "Location") =>
  ({ call, list }: Caller) => ({
    /** All labels of the kind. */
    list: (options?: RequestOptions) => list(kind === "Tag" ? "labels.tags" : "labels.locations", {}, options),
    /** Creates a label. With `upsert`, an existing one of that name is changed. */
    create: (label: CreateLabel, options?: RequestOptions) => call(`labels.create${kind}`, { body: label }, options),
    /** Changes a label. A new name applies to every line. */
    update: (name: string, change: LabelChange, options?: RequestOptions) =>
      call(`labels.change${kind}`, { path: { name }, body: change }, options),
    /** Deletes a label. */
    delete: (name: string, options?: RequestOptions) => call(`labels.delete${kind}`, { path: { name } }, options)
  })

export const tags = labels("Tag")
export const locations = labels("Location")
