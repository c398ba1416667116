import type { Effect } from "effect"
import type { ExportTable, TableFault } from "../../drop/exportTables.ts"
import type { TableMetadata, Snapshot } from "./TableMetadata.ts"
import type { IcebergSchema, IcebergSpec } from "./tableSchema.ts"

export interface CatalogueTable {
  readonly name: string
  readonly metadata: TableMetadata
}

/** A catalogue names the current metadata of each table: files beside the data, or a server. */
export interface Catalogue {
  /** Finds a table; null = it does not exist. */
  readonly find: (table: ExportTable) => Effect.Effect<CatalogueTable | null, TableFault>
  /** Creates an empty table. */
  readonly create: (table: ExportTable) => Effect.Effect<CatalogueTable, TableFault>
  /** Commits to a table atomically and returns the table after it. */
  readonly commit: (table: CatalogueTable, commit: TableCommit) => Effect.Effect<CatalogueTable, TableFault>
}

/** An atomic change of a table. */
export interface TableCommit {
  /** New columns; null = unchanged. */
  readonly schema: IcebergSchema | null
  /** An additional partitioning; null = none. */
  readonly spec: IcebergSpec | null
  readonly snapshot: Snapshot
}

/** The maximum number of previous metadata files that a table keeps. */
export const formerMetadata = 10

/** Returns a table's metadata after a commit; `formerFile` is the path of the previous metadata. */
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
