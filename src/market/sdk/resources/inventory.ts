import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { Upload } from "../Upload.ts"
import type { CreateLines, InventorySearch, LineChange, LinesQuery } from "../wire.ts"

/** The stock, by line. Reading needs `inventory:read`, the rest `inventory:write`. */
export const inventory = ({ call, list }: Caller) => ({
  /** The lines of the stock. */
  list: (query?: LinesQuery, options?: RequestOptions) => list("inventory.lines", { query }, options),
  /** Searches lines by product and line filters, up to offset 10,000. */
  search: (search: InventorySearch, options?: RequestOptions) =>
    list("inventory.searchLines", { body: search }, options),
  /** A line by its id. */
  get: (inventoryId: string, options?: RequestOptions) => call("inventory.line", { path: { inventoryId } }, options),
  /** Adds up to 1,000 lines. The answer's `errors` has the refused ones. */
  create: (lines: CreateLines, options?: RequestOptions) => call("inventory.createLines", { body: lines }, options),
  /** Changes a line, or splits it with `count`. */
  update: (inventoryId: string, change: LineChange, options?: RequestOptions) =>
    call("inventory.changeLine", { path: { inventoryId }, body: change }, options),
  /** Deletes a line. */
  delete: (inventoryId: string, options?: RequestOptions) =>
    call("inventory.deleteLine", { path: { inventoryId } }, options),
  /** Replaces a line's photos, up to ten. */
  setPhotos: (inventoryId: string, files: ReadonlyArray<Upload>, options?: RequestOptions) =>
    call("inventory.setPhotos", { path: { inventoryId }, body: { files } }, options)
})
