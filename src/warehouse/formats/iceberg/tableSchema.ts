import { type ExportTable, tableUnfit } from "../../drop/exportTables.ts"

/** The error for an Iceberg table that Cardlake cannot write to, with the next step. */
export const unfit = (table: string, reason: string, next: string) => tableUnfit("Iceberg", table, `${reason}. ${next}`)

const types: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "int",
  INT64: "long",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamptz"
}

/** Returns a table's columns, with the ids by which its Parquet files refer to them: names and positions may change. */
export const icebergSchema = ({ columns }: ExportTable, schemaId: number) => ({
  type: "struct" as const,
  "schema-id": schemaId,
  fields: columns.map((column) => ({
    id: column.fieldId,
    name: column.name,
    required: false,
    type: types[column.type] ?? column.type.toLowerCase().replace(",", ", "),
    doc: column.comment
  }))
})
export type IcebergSchema = ReturnType<typeof icebergSchema>

const fieldId = ({ columns }: ExportTable, name: string) => columns.find((column) => column.name === name)?.fieldId ?? 0

/** Returns the id of the column with the day, whose bounds show the days of a file. */
export const dayColumnId = (table: ExportTable) => fieldId(table, "snapshot_date")
const specField = (name: string, sourceId: number, id: number) => {
  return { name, transform: "identity", "source-id": sourceId, "field-id": id }
}
const byGame = (table: ExportTable) => specField("game", fieldId(table, "game_id"), 1000)

export const dayPartitioning = (table: ExportTable) => ({
  "spec-id": 0,
  fields: [byGame(table), specField("dt", dayColumnId(table), 1001)]
})
export type IcebergSpec = ReturnType<typeof dayPartitioning>

/** Returns the partitioning by game alone, for files of several days. New days use the first partitioning. */
export const gamePartitioning = (table: ExportTable, specId: number): IcebergSpec => ({
  "spec-id": specId,
  fields: [byGame(table)]
})
