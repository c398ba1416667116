import type { Effect } from "effect"
import type { ExportTable, TableFault } from "../../drop/exportTables.ts"
import type { TableCommit } from "./TableCommit.ts"
import type { TableMetadata } from "./TableMetadata.ts"

/** A table as a catalogue knows it. */
export interface CatalogueTable {
  readonly name: string
  readonly metadata: TableMetadata
}

/** Knows which metadata of a table is current: files beside the data, or a server. */
export interface Catalogue {
  /** Null where there is none. */
  readonly find: (table: ExportTable) => Effect.Effect<CatalogueTable | null, TableFault>
  /** A table that is still empty. */
  readonly create: (table: ExportTable) => Effect.Effect<CatalogueTable, TableFault>
  /** The table after the commit. Readers see all of a commit, or none of it. */
  readonly commit: (table: CatalogueTable, commit: TableCommit) => Effect.Effect<CatalogueTable, TableFault>
}
