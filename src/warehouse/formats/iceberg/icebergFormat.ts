import { Effect } from "effect"
import { type ExportFormat, withoutCommit } from "../../drop/ExportFormat.ts"
import { catalogueSet, type IcebergSettings } from "./IcebergSettings.ts"
import { dayFolder } from "./dayFolder.ts"
import type { Fault } from "../../../feed/contract/Fault.ts"

/** Iceberg tables in files alone or in a REST catalogue. */
export const icebergFormat: ExportFormat<"iceberg", Fault<"OtherCatalogue">, IcebergSettings> = {
  name: "iceberg",
  title: "Iceberg",
  catalogue: catalogueSet,
  write: Effect.fnUntraced(function* (to, drop, stage) {
    const { icebergTables } = yield* Effect.promise(() => import("./icebergTables.ts"))
    const { openCatalogue } = yield* Effect.promise(() => import("./openCatalogue.ts"))
    return withoutCommit(icebergTables(to, yield* openCatalogue(to, drop), stage).place)
  }),
  tables: {
    dayFolder,
    metadataPrefix: "metadata/",
    open: Effect.fnUntraced(function* (at) {
      const { openCatalogue } = yield* Effect.promise(() => import("./openCatalogue.ts"))
      const { readIceberg } = yield* Effect.promise(() => import("./readManifests.ts"))
      const { compactIceberg } = yield* Effect.promise(() => import("./compactIceberg.ts"))
      const catalogue = yield* openCatalogue(at.to, at.drop)
      return {
        read: (table) => readIceberg(at, catalogue, table),
        compact: (table, sizes) => compactIceberg(at, catalogue, table, sizes)
      }
    })
  }
}
