import { type ExportTable, tableUnfit } from "../../drop/exportTables.ts"

/** The error for an Iceberg table that Cardlake cannot write to, with the next step. */
export const unfit = (table: string, reason: string, next: string) => tableUnfit("Iceberg", table, `${reason}. ${next}`)

/** A column in Iceberg; files refer to it by id, so its name and position may change. */
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

/** Returns a table's columns for Iceberg, with the ids in its Parquet files. */
export const icebergSchema = ({ columns }: ExportTable, schemaId: number): IcebergSchema => ({
  type: "struct",
  "schema-id": schemaId,
  fields: columns.map((column) => ({
    id: column.fieldId,
    name: column.name,
    required: false,
    type: types[column.type] ?? column.type.toLowerCase().replace(",", ", "),
    doc: column.comment
  }))
})

const gameColumn = "game_id"
const dayColumn = "snapshot_date"

const fieldId = ({ columns }: ExportTable, name: string) => columns.find((column) => column.name === name)?.fieldId ?? 0

type IcebergSpecField = {
  readonly name: string
  readonly transform: string
  readonly "source-id": number
  readonly "field-id": number
}
export type IcebergSpec = { readonly "spec-id": number; readonly fields: ReadonlyArray<IcebergSpecField> }

/** Returns the id of the column with the day, whose bounds show the days of a file. */
export const dayColumnId = (table: ExportTable) => fieldId(table, dayColumn)
const byGame = (table: ExportTable) =>
  ({ name: "game", transform: "identity", "source-id": fieldId(table, gameColumn), "field-id": 1000 }) as const

export const dayPartitioning = (table: ExportTable): IcebergSpec => ({
  "spec-id": 0,
  fields: [byGame(table), { name: "dt", transform: "identity", "source-id": dayColumnId(table), "field-id": 1001 }]
})

/** Returns the partitioning by game alone, for files of several days. New days use the first partitioning. */
export const gamePartitioning = (table: ExportTable, specId: number): IcebergSpec => ({
  "spec-id": specId,
  fields: [byGame(table)]
})
