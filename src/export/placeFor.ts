import { Effect, type Scope } from "effect"
import type { LakeError } from "../home/LakeError.ts"
import type { Destination } from "./destination/Destination.ts"
import type { DestinationFailed } from "./destination/DestinationFailed.ts"
import type { Drop, DropDamaged } from "./drop/Drop.ts"
import { placeAsFiles } from "./drop/placeAsFiles.ts"
import { atOnce, type Placing } from "./drop/PlacePartition.ts"
import type { TableFault } from "./drop/TableFault.ts"
import type { IcebergSettings } from "./iceberg/IcebergSettings.ts"
import type { OtherCatalogue } from "./iceberg/openCatalogue.ts"

/** How partitions get to their place. What writes a table format is loaded where a drop is kept so. */
export const placeFor = Effect.fnUntraced(function* (
  to: Destination,
  drop: Drop,
  stage: string
): Effect.fn.Return<
  Placing<DropDamaged | LakeError | TableFault>,
  DestinationFailed | OtherCatalogue | TableFault,
  IcebergSettings | Scope.Scope
> {
  if (drop.tableFormat === undefined) return atOnce(placeAsFiles(to))
  if (drop.tableFormat === "delta") {
    const { deltaTables } = yield* Effect.promise(() => import("./delta/deltaTables.ts"))
    return atOnce(deltaTables(to, stage).place)
  }
  if (drop.tableFormat === "ducklake") {
    const { duckLakeTables } = yield* Effect.promise(() => import("./ducklake/duckLakeTables.ts"))
    return yield* duckLakeTables(to)
  }
  const { icebergTables } = yield* Effect.promise(() => import("./iceberg/icebergTables.ts"))
  const { openCatalogue } = yield* Effect.promise(() => import("./iceberg/openCatalogue.ts"))
  return atOnce(icebergTables(to, yield* openCatalogue(to, drop), stage).place)
})
