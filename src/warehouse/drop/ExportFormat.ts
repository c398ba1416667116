import type { StagedPartition } from "./stagePartition.ts"
import { type Scope, Effect } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import type { Drop, DropAt, DropDamaged } from "./Drop.ts"
import type { CompactedTable, JoinSizes } from "./joinFiles.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { TableReader } from "./readBack.ts"
import type { Fault } from "../../feed/contract/Fault.ts"

/** The result of placing a partition. `unchanged`: the same file existed. */
export type Placed = "added" | "replaced" | "emptied" | "unchanged"

export type PlacePartition<E> = (session: Session, partition: StagedPartition) => Effect.Effect<Placed, E>

export interface Placing<E> {
  readonly place: PlacePartition<E>
  /** Runs after all tables of a day are written; a format that publishes them together does so here. */
  readonly commitDay: Effect.Effect<void, E>
}

/** Publishes each partition as soon as it is written. */
export const withoutCommit = <E>(place: PlacePartition<E>): Placing<E> => ({ place, commitDay: Effect.void })

/** A table format with metadata for engines. Paths are relative to the folder of a table. */
export interface FormatTables<E, R> {
  /** Returns the folder of a game's day, without a trailing slash. */
  readonly dayFolder: (gameId: string, dt: string) => string
  /** The prefix of metadata files, which are never strays. */
  readonly metadataPrefix: string
  /** True if a path below the destination is a file that all its tables share; absent = there is none. */
  readonly isShared?: (path: string) => boolean
  readonly open: (at: DropAt) => Effect.Effect<OpenedTables, E | TableFault, R | Scope.Scope>
}

export interface OpenedTables {
  readonly read: TableReader
  /** Joins a table's files of past months, in one commit that changes no row; null = the table does not exist. */
  readonly compact: (
    table: ExportTable,
    sizes: JoinSizes
  ) => Effect.Effect<CompactedTable | null, TableFault | LakeError>
}

/**
 * The format of an export's tables. `E` and `R` are further errors and requirements of opening them. `--help` reads
 * every record, so a record imports its code only when that code runs.
 */
export interface ExportFormat<Name extends string = string, E = never, R = never> {
  /** The value in `--format` and `drop.json`. */
  readonly name: Name
  /** The description in `--help`. */
  readonly title: string
  /** Returns why it cannot be at an address, with the next step; null = it can. Absent = it can be anywhere. */
  readonly fault?: (address: string) => string | null
  /** The fields of a new `drop.json` that let later exports find the same tables; absent = none. */
  readonly catalogue?: Effect.Effect<Pick<Drop, "catalogue" | "namespace">, Fault<"ExportRefused">, R>
  /** Opens the export for writing partitions. */
  readonly write: (
    to: Destination,
    drop: Drop,
    stage: string
  ) => Effect.Effect<Placing<DropDamaged | LakeError | TableFault>, E | TableFault, R | Scope.Scope>
  /** Null = plain files, each with a manifest. */
  readonly tables: FormatTables<E, R> | null
}

/** The parts of a format that a game's export needs. */
export type KeptAs = Pick<ExportFormat<string, unknown, unknown>, "name" | "tables">
