import { Effect, type Scope } from "effect"
import type { Session } from "../lake/duckdb/Lake.ts"
import type { Destination } from "./destination/Destination.ts"
import type { Drop } from "./drop/Drop.ts"
import type { TableReader } from "./drop/readBack.ts"
import type { TableFault } from "./drop/TableFault.ts"
import type { IcebergSettings } from "./iceberg/IcebergSettings.ts"
import type { OtherCatalogue } from "./iceberg/openCatalogue.ts"

/** How a drop's format reads its tables' own metadata. What reads it is loaded where a drop is kept so. */
export const readTables = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  drop: Drop,
  stage: string
): Effect.fn.Return<TableReader, OtherCatalogue | TableFault, IcebergSettings | Scope.Scope> {
  if (drop.tableFormat === "delta") {
    const { readDelta } = yield* Effect.promise(() => import("./delta/readDelta.ts"))
    return (table) => readDelta(to, session, stage, table)
  }
  if (drop.tableFormat === "ducklake") {
    const { readDuckLake } = yield* Effect.promise(() => import("./ducklake/readDuckLake.ts"))
    const { findCatalogue } = yield* Effect.promise(() => import("./ducklake/openCatalogue.ts"))
    const database = yield* findCatalogue(to)
    return (table) => (database === null ? Effect.succeed(null) : readDuckLake(database, table))
  }
  const { openCatalogue } = yield* Effect.promise(() => import("./iceberg/openCatalogue.ts"))
  const { readIceberg } = yield* Effect.promise(() => import("./iceberg/readIceberg.ts"))
  const catalogue = yield* openCatalogue(to, drop)
  return (table) => readIceberg(to, catalogue, stage, table)
})
