import type { Effect } from "effect"
import type { ExportTable, TableFault } from "../../drop/exportTables.ts"
import type { TableMetadata, Snapshot } from "./TableMetadata.ts"
import type { IcebergSchema, IcebergSpec } from "./tableSchema.ts"

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

/** How to change a table, in one step. */
export interface TableCommit {
  /** New columns; null = those it has. */
  readonly schema: IcebergSchema | null
  /** Another partitioning, beside those it has; null = none. */
  readonly spec: IcebergSpec | null
  readonly snapshot: Snapshot
}

/** How many former metadata files a table keeps. */
export const formerMetadata = 10

/** A table's metadata after a commit; `formerFile` is where the earlier one is. */
export const committed = (
  before: TableMetadata,
  { schema, snapshot, spec }: TableCommit,
  formerFile: string
): TableMetadata => {
  const id = snapshot["snapshot-id"]
  const at = snapshot["timestamp-ms"]
  const columns =
    schema === null
      ? {}
      : {
          schemas: [...before.schemas, schema],
          "current-schema-id": schema["schema-id"],
          "last-column-id": Math.max(before["last-column-id"], ...schema.fields.map((field) => field.id))
        }
  const former = { "metadata-file": formerFile, "timestamp-ms": before["last-updated-ms"] }
  return {
    ...before,
    ...columns,
    ...(spec === null ? {} : { "partition-specs": [...before["partition-specs"], spec] }),
    "last-sequence-number": snapshot["sequence-number"],
    "last-updated-ms": at,
    "current-snapshot-id": id,
    refs: { ...before.refs, main: { "snapshot-id": id, type: "branch" } },
    snapshots: [...(before.snapshots ?? []), snapshot],
    "snapshot-log": [...(before["snapshot-log"] ?? []), { "snapshot-id": id, "timestamp-ms": at }],
    "metadata-log": [...(before["metadata-log"] ?? []), former].slice(-formerMetadata)
  }
}
