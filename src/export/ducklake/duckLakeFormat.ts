import { Effect } from "effect"
import { isBucket } from "../../home/bucket/isBucket.ts"
import { dayFolder } from "../drop/dayFolder.ts"
import { ExportRefused } from "../drop/ExportRefused.ts"
import type { ExportFormat } from "../drop/ExportFormat.ts"

/** Tables of a DuckLake: one catalogue in a SQLite file. */
export const duckLakeFormat: ExportFormat<"ducklake"> = {
  name: "ducklake",
  title: "DuckLake",
  fault: (address) =>
    isBucket(address)
      ? "A DuckLake has its catalogue in a database, which a bucket cannot be. Export it to a folder, or give --format iceberg or delta"
      : null,
  open: Effect.succeed({}),
  write: Effect.fnUntraced(function* (to) {
    const { duckLakeTables } = yield* Effect.promise(() => import("./duckLakeTables.ts"))
    return yield* duckLakeTables(to)
  }),
  tables: {
    dayFolder,
    metadataPrefix: "_",
    isShared: (path) => /^ducklake\.sqlite(-\w+)?$/.test(path),
    read: Effect.fnUntraced(function* (_session, to) {
      const { readDuckLake } = yield* Effect.promise(() => import("./readDuckLake.ts"))
      const { findCatalogue } = yield* Effect.promise(() => import("./openCatalogue.ts"))
      const database = yield* findCatalogue(to)
      return (table) => (database === null ? Effect.succeed(null) : readDuckLake(database, table))
    }),
    compact: () => Effect.fail(new ExportRefused({ reason: "DuckLake tables cannot be compacted yet" }))
  }
}
