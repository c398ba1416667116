import { Effect } from "effect"
import { type ExportTable, TableUnfit } from "../../drop/exportTables.ts"
import type { CatalogueTable } from "./Catalogue.ts"
import { schemaOf, type IcebergSchema } from "./tableSchema.ts"

const asText = (type: unknown): string => (typeof type === "string" ? type.replaceAll(" ", "") : JSON.stringify(type))

/** The schema that a table needs for today's columns; null = it has them. Ids, names and types never change. */
export const evolvedSchema = Effect.fnUntraced(function* (table: ExportTable, { metadata, name }: CatalogueTable) {
  const today = schemaOf(table, metadata.schemas.reduce((last, one) => Math.max(last, one["schema-id"]), 0) + 1)
  const current = metadata.schemas.find((one) => one["schema-id"] === metadata["current-schema-id"])
  const fields = current?.fields ?? []
  for (const { id, name: column, type } of fields) {
    const ours = today.fields.find((field) => field.id === id)
    if (ours?.name === column && asText(ours.type) === asText(type)) continue
    const next = "Update Cardlake, or take the column back with the program that made it"
    return yield* new TableUnfit({
      format: "Iceberg",
      table: name,
      reason: `has a column ${column} (id ${id}, ${asText(type)}) that this version of Cardlake does not write`,
      next
    })
  }
  // An id that another program used and dropped is not reused: its files may still have values.
  const added = today.fields.filter(({ id }) => !fields.some((field) => field.id === id))
  if (added.length === 0) return null
  const taken = added.find(({ id }) => id <= metadata["last-column-id"])
  if (taken !== undefined) {
    return yield* new TableUnfit({
      format: "Iceberg",
      table: name,
      reason: `once had another column under the id of ${taken.name} (${taken.id})`,
      next: "Export to another destination"
    })
  }
  return today satisfies IcebergSchema
})
