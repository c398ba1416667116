import { Effect } from "effect"
import { dayFolder } from "../../drop/days.ts"
import { type ExportFormat, withoutCommit } from "../../drop/ExportFormat.ts"

/** Delta tables, each with a log beside its files. */
export const deltaFormat: ExportFormat<"delta"> = {
  name: "delta",
  title: "Delta",
  write: Effect.fnUntraced(function* (to, _drop, stage) {
    const { deltaTables } = yield* Effect.promise(() => import("./deltaTables.ts"))
    return withoutCommit(deltaTables(to, stage).place)
  }),
  tables: {
    dayFolder,
    metadataPrefix: "_",
    open: Effect.fnUntraced(function* (at) {
      const { readDelta } = yield* Effect.promise(() => import("./readDelta.ts"))
      const { compactDelta } = yield* Effect.promise(() => import("./compactDelta.ts"))
      return { read: (table) => readDelta(at, table), compact: (table, sizes) => compactDelta(at, table, sizes) }
    })
  }
}
