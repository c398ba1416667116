import type { Effect, Scope } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import type { Drop, DropDamaged } from "./Drop.ts"
import type { ExportRefused } from "./ExportRefused.ts"
import type { Placing } from "./PlacePartition.ts"
import type { CompactedTable, JoinSizes } from "./joinFiles.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { TableReader } from "./readBack.ts"

/** Tables with metadata of their own, which engines know. Paths are below the folder of a table. */
export interface FormatTables<E, R> {
  /** Where the rows of a game's day are, without a slash at the end. */
  readonly dayFolder: (gameId: string, dt: string) => string
  /** What begins so is the business of engines, and no stray. */
  readonly metadataPrefix: string
  /** Whether a path below the destination is a file that all its tables share. */
  readonly isShared: (path: string) => boolean
  /** Opens the tables for `--verify`. */
  readonly read: (
    session: Session,
    to: Destination,
    drop: Drop,
    stage: string
  ) => Effect.Effect<TableReader, E | TableFault, R | Scope.Scope>
  /** Opens the tables for `--compact`. */
  readonly compact: (
    session: Session,
    to: Destination,
    drop: Drop,
    stage: string
  ) => Effect.Effect<TableCompactor, E | TableFault, R | Scope.Scope>
}

/** Joins a table's files of past months, in one commit that changes no row; null = there is no such table. */
export type TableCompactor = (
  table: ExportTable,
  sizes: JoinSizes
) => Effect.Effect<CompactedTable | null, TableFault | LakeError>

/**
 * How a drop keeps its tables. `E` and `R`: what else opening them fails with and needs. `--help` reads every record,
 * so a record imports its code only when that runs.
 */
export interface ExportFormat<Name extends string = string, E = never, R = never> {
  /** As `--format` and `drop.json` say it. */
  readonly name: Name
  /** As `--help` says it. */
  readonly title: string
  /** Why it cannot be at an address, with the next step; null = it can. */
  readonly fault: (address: string) => string | null
  /** What `drop.json` notes of a new drop, so that later exports find the same tables. */
  readonly open: Effect.Effect<Pick<Drop, "catalogue" | "namespace">, ExportRefused, R>
  /** How partitions get to their place. */
  readonly write: (
    to: Destination,
    drop: Drop,
    stage: string
  ) => Effect.Effect<Placing<DropDamaged | LakeError | TableFault>, E | TableFault, R | Scope.Scope>
  /** Null = plain files, each with a manifest. */
  readonly tables: FormatTables<E, R> | null
}

/** What a game's export asks of any format. */
export type KeptAs = Pick<ExportFormat<string, unknown, unknown>, "name" | "tables">
