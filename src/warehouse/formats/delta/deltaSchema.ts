import { Effect, Schema } from "effect"
import { tableName } from "../../drop/Drop.ts"
import { type ExportColumn, type ExportTable, tableUnfit } from "../../drop/exportTables.ts"
import type { MetaData } from "./DeltaTable.ts"

/** The schema of a table. Metadata that other programs added to a column is preserved. */
const DeltaSchema = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literal("struct"),
    fields: Schema.Array(
      Schema.StructWithRest(Schema.Struct({ name: Schema.String, type: Schema.Unknown }), [
        Schema.Record(Schema.String, Schema.Unknown)
      ])
    )
  })
)

const types: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "long",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp"
}

const schemaField = ({ comment, name, type }: ExportColumn) => ({
  name,
  type: types[type] ?? type.toLowerCase(),
  nullable: true,
  metadata: { comment }
})

const schemaString = (fields: ReadonlyArray<unknown>) => JSON.stringify({ type: "struct", fields })

/** Partition columns until the first compaction. Both columns are in the files, too. */
export const byDay: ReadonlyArray<string> = ["game_id", "snapshot_date"]
/** Partition columns from the first compaction on, because a file may have several days. */
export const byGame: ReadonlyArray<string> = ["game_id"]

export const newMetaData = (table: ExportTable, id: string, now: number): MetaData => ({
  id,
  name: tableName(table),
  description: table.comment,
  format: { provider: "parquet", options: {} },
  schemaString: schemaString(table.columns.map(schemaField)),
  partitionColumns: byDay,
  configuration: {},
  createdTime: now
})

/** Returns the metadata with the current columns; null = it already has them. Names and types never change. */
export const evolvedMetaData = Effect.fnUntraced(function* (table: ExportTable, found: MetaData) {
  const name = tableName(table)
  const next = "Update Cardlake, or undo the change with the program that made it"
  const unfit = (reason: string) => tableUnfit("Delta", name, `${reason}. ${next}`)
  const partitioning = found.partitionColumns.join()
  if (partitioning !== byDay.join() && partitioning !== byGame.join())
    return yield* unfit(`is partitioned by ${found.partitionColumns.join(", ")} instead of ${byDay.join(", ")}`)
  const { fields } = yield* Effect.mapError(Schema.decodeUnknownEffect(DeltaSchema)(found.schemaString), () =>
    unfit("has columns that Cardlake cannot read")
  )
  const today = table.columns.map(schemaField)
  for (const { name: column, type } of fields) {
    if (today.find((field) => field.name === column)?.type === type) continue
    const typeName = typeof type === "string" ? type : JSON.stringify(type)
    return yield* unfit(`has a column ${column} (${typeName}) that this version of Cardlake does not write`)
  }
  const added = today.filter((field) => !fields.some(({ name: column }) => column === field.name))
  return added.length === 0 ? null : { ...found, schemaString: schemaString([...fields, ...added]) }
})
