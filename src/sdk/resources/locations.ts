import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { LabelChange, NewLabel } from "../wire.ts"

/** Locations of the stock, known by their names. Reading needs `inventory:read`, the rest `inventory:write`. */
export const locations = ({ call, list }: Caller) => ({
  /** All locations. */
  list: (options?: RequestOptions) => list("labels.locations", {}, options),
  /** Makes a location; with `upsert`, changes one of that name. */
  create: (location: NewLabel, options?: RequestOptions) => call("labels.createLocation", { body: location }, options),
  /** Changes it; a new name follows on every line. */
  update: (name: string, change: LabelChange, options?: RequestOptions) =>
    call("labels.changeLocation", { path: { name }, body: change }, options),
  /** Deletes it. */
  delete: (name: string, options?: RequestOptions) => call("labels.deleteLocation", { path: { name } }, options)
})
