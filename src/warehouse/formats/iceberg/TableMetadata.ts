import { randomUUID } from "node:crypto"
import { Schema } from "effect"
import type { ExportTable } from "../../drop/exportTables.ts"
import { dayPartitioning, icebergSchema } from "./tableSchema.ts"

/** Preserves unknown keys of other programs. */
const rest = [Schema.Record(Schema.String, Schema.Unknown)] as const

const TableField = Schema.StructWithRest(
  Schema.Struct({ id: Schema.Int, name: Schema.String, required: Schema.Boolean, type: Schema.Unknown }),
  rest
)
const TableSchema = Schema.StructWithRest(
  Schema.Struct({ type: Schema.Literal("struct"), "schema-id": Schema.Int, fields: Schema.Array(TableField) }),
  rest
)
const PartitionSpec = Schema.StructWithRest(
  Schema.Struct({
    "spec-id": Schema.Int,
    fields: Schema.Array(Schema.StructWithRest(Schema.Struct({ name: Schema.String, transform: Schema.String }), rest))
  }),
  rest
)
export const Snapshot = Schema.StructWithRest(
  Schema.Struct({
    "snapshot-id": Schema.Int,
    "sequence-number": Schema.Int,
    "timestamp-ms": Schema.Int,
    "manifest-list": Schema.String,
    summary: Schema.StructWithRest(
      Schema.Struct({ operation: Schema.Literals(["append", "replace", "overwrite", "delete"]) }),
      [Schema.Record(Schema.String, Schema.String)]
    )
  }),
  rest
)
export type Snapshot = typeof Snapshot.Type

const LogEntry = Schema.Struct({ "metadata-file": Schema.String, "timestamp-ms": Schema.Int })

/** `metadata/vN.metadata.json`: a table's columns, partitioning and snapshots, in version 2 of the format. */
export const TableMetadata = Schema.StructWithRest(
  Schema.Struct({
    "format-version": Schema.Literal(2),
    "table-uuid": Schema.String,
    location: Schema.String,
    "last-sequence-number": Schema.Int,
    "last-updated-ms": Schema.Int,
    "last-column-id": Schema.Int,
    "current-schema-id": Schema.Int,
    schemas: Schema.Array(TableSchema),
    "default-spec-id": Schema.Int,
    "partition-specs": Schema.Array(PartitionSpec),
    properties: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
    "current-snapshot-id": Schema.optionalKey(Schema.NullOr(Schema.Int)),
    snapshots: Schema.optionalKey(Schema.Array(Snapshot)),
    refs: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    "snapshot-log": Schema.optionalKey(
      Schema.Array(Schema.Struct({ "snapshot-id": Schema.Int, "timestamp-ms": Schema.Int }))
    ),
    "metadata-log": Schema.optionalKey(Schema.Array(LogEntry))
  }),
  rest
)
export type TableMetadata = typeof TableMetadata.Type

export const newTable = (table: ExportTable, location: string, now: number): TableMetadata => ({
  "format-version": 2,
  "table-uuid": randomUUID(),
  location,
  "last-sequence-number": 0,
  "last-updated-ms": now,
  "last-column-id": table.columns.length,
  "current-schema-id": 0,
  schemas: [icebergSchema(table, 0)],
  "default-spec-id": 0,
  "partition-specs": [dayPartitioning(table)],
  "last-partition-id": 1001,
  "default-sort-order-id": 0,
  "sort-orders": [{ "order-id": 0, fields: [] }],
  properties: tableProperties(table),
  refs: {},
  snapshots: [],
  "snapshot-log": [],
  "metadata-log": []
})

export const tableProperties = ({ comment, key }: ExportTable): Record<string, string> => ({
  comment,
  "cardlake.key": key.join(", "),
  "write.parquet.compression-codec": "snappy"
})

/** The table property with the destination of its files, because a REST catalogue may choose another location. */
export const destinationProperty = "cardlake.destination"

/** Returns the snapshot that readers see; null if the table has none. */
export const currentSnapshot = (metadata: TableMetadata): Snapshot | null => {
  const id = metadata["current-snapshot-id"] ?? -1
  return metadata.snapshots?.find((snapshot) => snapshot["snapshot-id"] === id) ?? null
}
