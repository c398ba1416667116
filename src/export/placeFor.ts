import { Effect } from "effect"
import type { LakeError } from "../lake/duckdb/LakeError.ts"
import type { Destination } from "./destination/Destination.ts"
import type { Drop, DropDamaged } from "./drop/Drop.ts"
import { placeAsFiles } from "./drop/placeAsFiles.ts"
import type { PlacePartition } from "./drop/PlacePartition.ts"
import type { TableFault } from "./drop/TableFault.ts"
import type { IcebergSettings } from "./iceberg/IcebergSettings.ts"
import type { OtherCatalogue } from "./iceberg/openCatalogue.ts"

/** How partitions get to their place. What writes a table format is loaded where a drop is kept so. */
export const placeFor = Effect.fnUntraced(function* (
  to: Destination,
  drop: Drop,
  stage: string
): Effect.fn.Return<PlacePartition<DropDamaged | LakeError | TableFault>, OtherCatalogue, IcebergSettings> {
  if (drop.tableFormat === undefined) return placeAsFiles(to)
  if (drop.tableFormat === "delta") {
    const { deltaTables } = yield* Effect.promise(() => import("./delta/deltaTables.ts"))
    return deltaTables(to, stage).place
  }
  const { icebergTables } = yield* Effect.promise(() => import("./iceberg/icebergTables.ts"))
  const { openCatalogue } = yield* Effect.promise(() => import("./iceberg/openCatalogue.ts"))
  return icebergTables(to, yield* openCatalogue(to, drop), stage).place
})
