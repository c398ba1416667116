import { Effect } from "effect"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { ExportTable } from "./exportTables.ts"

/** A partition's file, staged: written, counted and hashed. */
export interface StagedPartition {
  readonly table: ExportTable
  readonly gameId: string
  readonly dt: string
  readonly snapshots: ReadonlyArray<string>
  readonly file: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  readonly isFromHistory: boolean
  readonly isDamaged: boolean
}

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
