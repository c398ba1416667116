import type { ExportColumn, ExportTable } from "../drop/exportTables.ts"

/** A column as Iceberg has it; files name columns by their id, so that a name or position may change. */
export type IcebergField = {
  readonly id: number
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly doc?: string
}

export type IcebergSchema = {
  readonly type: "struct"
  readonly "schema-id": number
  readonly fields: ReadonlyArray<IcebergField>
}

const types: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "int",
  INT64: "long",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamptz"
}

const typeOf = ({ type }: ExportColumn): string => types[type] ?? type.toLowerCase().replace(",", ", ")

/** A table's columns for Iceberg, under the ids that its Parquet files have. */
export const schemaOf = ({ columns }: ExportTable, schemaId: number): IcebergSchema => ({
  type: "struct",
  "schema-id": schemaId,
  fields: columns.map((column) => ({
    id: column.fieldId,
    name: column.name,
    required: false,
    type: typeOf(column),
    doc: column.comment
  }))
})

const gameColumn = "game_id"
const dayColumn = "snapshot_date"

/** Partitioned by game and day. */
export const partitionSpecOf = ({ columns }: ExportTable) => {
  const idOf = (name: string) => columns.find((column) => column.name === name)?.fieldId ?? 0
  return {
    "spec-id": 0,
    fields: [
      { name: "game", transform: "identity", "source-id": idOf(gameColumn), "field-id": 1000 },
      { name: "dt", transform: "identity", "source-id": idOf(dayColumn), "field-id": 1001 }
    ]
  }
}
