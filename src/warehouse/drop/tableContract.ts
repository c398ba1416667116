import { leadColumns } from "./exportNames.ts"
import { dropReadings, nightsName, type ExportTable } from "./exportTables.ts"

interface ForeignKey {
  readonly columns: ReadonlyArray<string>
  readonly table: string
  readonly references: ReadonlyArray<string>
}

/** `contract.json`: the guarantees of a table for those who load it. */
export interface TableContract {
  readonly table: string
  readonly version: number
  readonly location: string
  readonly partitionedBy: ReadonlyArray<string>
  readonly comment: string
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly fieldId: number
    readonly nullable: boolean
    readonly unit: string | null
    readonly comment: string
    readonly lakeColumn: string
  }>
  readonly foreignKeys: ReadonlyArray<ForeignKey>
}

/** Tables whose rows refer to a product. Lists of products may name an expansion that the feed does not list. */
const ofProducts = new Set([
  "product_languages",
  "product_finishes",
  "external_ids",
  "source_prices",
  "source_price_conditions",
  "marketplace_prices",
  "marketplace_price_conditions"
])

/** Tables without a foreign key to `nights`: a night that a reading confirmed may be older than the export. */
const tablesWithoutNight = new Set([nightsName, dropReadings.name])

const listForeignKeys = ({ name: table, scope }: ExportTable): ReadonlyArray<ForeignKey> => {
  const to = (other: string, ...more: ReadonlyArray<string>): ForeignKey => {
    const columns = ["game_id", "snapshot_id", ...more]
    return { columns, table: other, references: columns }
  }
  return [
    ...(scope !== "game" || tablesWithoutNight.has(table) ? [] : [to(nightsName)]),
    ...(ofProducts.has(table) ? [to("products", "product_id")] : []),
    ...(table === "expansion_languages" ? [to("expansions", "expansion_id")] : []),
    ...(table === "deployment_changes" ? [to("deployments", "deployment_id")] : [])
  ]
}

/** Key columns that are never null; in other key columns, null has a meaning. */
const alwaysThere = new Set(leadColumns.map(({ name }) => name))

export const tableContract = (table: ExportTable, location: string): TableContract => ({
  table: table.name,
  version: table.version,
  location,
  partitionedBy: ["game", "dt"],
  comment: table.comment,
  key: table.key,
  columns: table.columns.map((column) => ({
    name: column.name,
    type: column.type,
    fieldId: column.fieldId,
    nullable: !alwaysThere.has(column.name),
    unit: column.unit,
    comment: column.comment,
    lakeColumn: column.lakeName
  })),
  foreignKeys: listForeignKeys(table)
})
