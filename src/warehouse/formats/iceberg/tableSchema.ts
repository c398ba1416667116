import { type ExportColumn, type ExportTable, TableUnfit } from "../../drop/exportTables.ts"

/** Why an Iceberg table is left alone, and what to do. */
export const unfit = (table: string, reason: string, next: string) =>
  new TableUnfit({ format: "Iceberg", table, reason, next })

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

const idOf = ({ columns }: ExportTable, name: string) => columns.find((column) => column.name === name)?.fieldId ?? 0

type IcebergSpecField = {
  readonly name: string
  readonly transform: string
  readonly "source-id": number
  readonly "field-id": number
}
export type IcebergSpec = { readonly "spec-id": number; readonly fields: ReadonlyArray<IcebergSpecField> }

/** The column by which readers know the days of a file. */
export const dayColumnId = (table: ExportTable) => idOf(table, dayColumn)
const byGame = (table: ExportTable) =>
  ({ name: "game", transform: "identity", "source-id": idOf(table, gameColumn), "field-id": 1000 }) as const

/** Partitioned by game and day. */
export const partitionSpecOf = (table: ExportTable): IcebergSpec => ({
  "spec-id": 0,
  fields: [byGame(table), { name: "dt", transform: "identity", "source-id": dayColumnId(table), "field-id": 1001 }]
})

/** By game alone, for files of several days. New days come by the first one. */
export const joinedSpecOf = (table: ExportTable, specId: number): IcebergSpec => ({
  "spec-id": specId,
  fields: [byGame(table)]
})
