import { Effect } from "effect"
import { isBucket } from "../../../store/home/bucket/homeAddress.ts"
import { dayFolder } from "../../drop/days.ts"
import type { ExportFormat } from "../../drop/ExportFormat.ts"

/** Tables of a DuckLake: one catalogue in a SQLite file. */
export const duckLakeFormat: ExportFormat<"ducklake"> = {
  name: "ducklake",
  title: "DuckLake",
  fault: (address) =>
    isBucket(address)
      ? "The catalogue of a DuckLake is a database file, which a bucket cannot hold. Export to a folder, or pass --format iceberg or delta"
      : null,
  write: Effect.fnUntraced(function* (to, _drop, stage) {
    const { duckLakeTables } = yield* Effect.promise(() => import("./duckLakeTables.ts"))
    return yield* duckLakeTables(to, stage)
  }),
  tables: {
    dayFolder,
    metadataPrefix: "_",
    isShared: (path) => /^ducklake\.sqlite(-\w+)?$/.test(path),
    open: Effect.fnUntraced(function* (at) {
      const { compactDuckLake } = yield* Effect.promise(() => import("./compactDuckLake.ts"))
      const { findCatalogue, readDuckLake } = yield* Effect.promise(() => import("./openCatalogue.ts"))
      const database = yield* findCatalogue(at.to)
      if (database === null) return { read: () => Effect.succeed(null), compact: () => Effect.succeed(null) }
      return {
        read: (table) => readDuckLake(database, table),
        compact: (table, sizes) => compactDuckLake(at, database, table, sizes)
      }
    })
  }
}
