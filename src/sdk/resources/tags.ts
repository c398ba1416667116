import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { LabelChange, NewLabel } from "../wire.ts"

/** Tags of the stock, known by their names. Reading needs `inventory:read`, the rest `inventory:write`. */
export const tags = ({ call, list }: Caller) => ({
  /** All tags. */
  list: (options?: RequestOptions) => list("labels.tags", {}, options),
  /** Makes a tag; with `upsert`, changes one of that name. */
  create: (tag: NewLabel, options?: RequestOptions) => call("labels.createTag", { body: tag }, options),
  /** Changes it; a new name follows on every line. */
  update: (name: string, change: LabelChange, options?: RequestOptions) =>
    call("labels.changeTag", { path: { name }, body: change }, options),
  /** Deletes it. */
  delete: (name: string, options?: RequestOptions) => call("labels.deleteTag", { path: { name } }, options)
})
