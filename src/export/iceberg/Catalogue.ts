import type { Effect } from "effect"
import type { DropTable } from "../drop/dropTables.ts"
import type { TableFault } from "../drop/TableFault.ts"
import type { TableCommit } from "./TableCommit.ts"
import type { TableMetadata } from "./TableMetadata.ts"

/** A table as a catalogue knows it. */
export interface CatalogueTable {
  readonly name: string
  readonly metadata: TableMetadata
}

/** Says which metadata of a table is the present one: files beside the data, or a server. */
export interface Catalogue {
  /** Null where there is none. */
  readonly find: (table: DropTable) => Effect.Effect<CatalogueTable | null, TableFault>
  /** A table that holds nothing yet. */
  readonly create: (table: DropTable) => Effect.Effect<CatalogueTable, TableFault>
  /** The table as it then is. All of a commit is seen, or nothing. */
  readonly commit: (table: CatalogueTable, commit: TableCommit) => Effect.Effect<CatalogueTable, TableFault>
}
