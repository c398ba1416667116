import type { StagedPartition } from "./stagePartition.ts"
import { type Scope, Schema, Effect } from "effect"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import type { Drop, DropAt, DropDamaged } from "./Drop.ts"
import type { CompactedTable, JoinSizes } from "./joinFiles.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { TableReader } from "./readBack.ts"

/** What happened to a partition. `unchanged`: the same file was there. */
export type Placed = "added" | "replaced" | "emptied" | "unchanged"

/** Puts a partition in place, in the format of the drop. */
export type PlacePartition<E> = (session: Session, partition: StagedPartition) => Effect.Effect<Placed, E>

/** How a drop's format takes partitions. */
export interface Placing<E> {
  readonly place: PlacePartition<E>
  /** Called when the tables of a day are in their place: what shows several of them at once does so then. */
  readonly commitDay: Effect.Effect<void, E>
}

/** Each partition is seen as soon as it is in its place. */
export const atOnce = <E>(place: PlacePartition<E>): Placing<E> => ({ place, commitDay: Effect.void })

/** What was asked for cannot be exported. */
export class ExportRefused extends Schema.TaggedError<ExportRefused>()("ExportRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Tables with metadata of their own, which engines know. Paths are below the folder of a table. */
export interface FormatTables<E, R> {
  /** Where the rows of a game's day are, without a slash at the end. */
  readonly dayFolder: (gameId: string, dt: string) => string
  /** What begins so is the business of engines, and no stray. */
  readonly metadataPrefix: string
  /** Whether a path below the destination is a file that all its tables share. */
  readonly isShared: (path: string) => boolean
  /** Opens the tables for `--verify`. */
  readonly read: (at: DropAt) => Effect.Effect<TableReader, E | TableFault, R | Scope.Scope>
  /** Opens the tables for `--compact`. */
  readonly compact: (at: DropAt) => Effect.Effect<TableCompactor, E | TableFault, R | Scope.Scope>
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
