import { Schema, type Effect } from "effect"
import type { DestinationFailed } from "../destination/DestinationFailed.ts"
import type { DropTable } from "../drop/dropTables.ts"
import type { TableCommit } from "./TableCommit.ts"
import type { TableMetadata } from "./TableMetadata.ts"

/** A table as a catalogue knows it. */
export interface CatalogueTable {
  readonly name: string
  readonly metadata: TableMetadata
}

/** Another program committed to the table between our look and our commit. */
export class CommitLost extends Schema.TaggedError<CommitLost>()("CommitLost", { table: Schema.String }) {
  override get message() {
    return `Somebody else committed to the Iceberg table ${this.table} at the same moment. Nothing of theirs was touched. Export again`
  }
}

/** A table is not as Cardlake left it. */
export class TableUnfit extends Schema.TaggedError<TableUnfit>()("TableUnfit", {
  table: Schema.String,
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `The Iceberg table ${this.table} ${this.reason}. ${this.next}`
  }
}

export type CatalogueFault = CommitLost | DestinationFailed | TableUnfit

/** Knows which metadata of a table is current: files beside the data, or a server. */
export interface Catalogue {
  /** Null where there is none. */
  readonly find: (table: DropTable) => Effect.Effect<CatalogueTable | null, CatalogueFault>
  /** A table that is still empty. */
  readonly create: (table: DropTable) => Effect.Effect<CatalogueTable, CatalogueFault>
  /** The table after the commit. Readers see all of a commit, or none of it. */
  readonly commit: (table: CatalogueTable, commit: TableCommit) => Effect.Effect<CatalogueTable, CatalogueFault>
}
