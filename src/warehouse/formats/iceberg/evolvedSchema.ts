import { Effect } from "effect"
import { type ExportTable } from "../../drop/exportTables.ts"
import type { CatalogueTable } from "./Catalogue.ts"
import { icebergSchema, gamePartitioning, dayPartitioning, unfit } from "./tableSchema.ts"
import type { ManifestFile } from "./avro.ts"

const asText = (type: unknown): string => (typeof type === "string" ? type.replaceAll(" ", "") : JSON.stringify(type))

/** Returns the schema with the current columns; null = the table has them. Ids, names and types never change. */
export const evolvedSchema = Effect.fnUntraced(function* (table: ExportTable, { metadata, name }: CatalogueTable) {
  const today = icebergSchema(table, metadata.schemas.reduce((last, one) => Math.max(last, one["schema-id"]), 0) + 1)
  const current = metadata.schemas.find((one) => one["schema-id"] === metadata["current-schema-id"])
  const fields = current?.fields ?? []
  for (const { id, name: column, type } of fields) {
    const ours = today.fields.find((field) => field.id === id)
    if (ours?.name === column && asText(ours.type) === asText(type)) continue
    const next = "Update Cardlake, or remove the column with the program that added it"
    return yield* unfit(
      name,
      `has a column ${column} (id ${id}, ${asText(type)}) that this version of Cardlake does not write`,
      next
    )
  }
  // The id of another program's removed column is not reused, because files may still have its values.
  const added = today.fields.filter(({ id }) => !fields.some((field) => field.id === id))
  if (added.length === 0) return null
  const taken = added.find(({ id }) => id <= metadata["last-column-id"])
  if (taken !== undefined) {
    return yield* unfit(
      name,
      `once used the id of ${taken.name} (${taken.id}) for another column`,
      "Export to another destination"
    )
  }
  return today
})

const describe = (fields: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  fields.map((field) => `${String(field["name"])} ${String(field["transform"])} ${String(field["source-id"])}`).join()

/** Returns a table's partitionings: by day, for files of several days, and whether it already has the second. */
export const chooseSpecs = (table: ExportTable, { metadata }: CatalogueTable) => {
  const day = dayPartitioning(table)
  const specs = metadata["partition-specs"]
  const found = specs.find(({ fields }) => describe(fields) === describe(gamePartitioning(table, 0).fields))
  const id = found?.["spec-id"] ?? specs.reduce((last, one) => Math.max(last, one["spec-id"]), 0) + 1
  return { day, joined: gamePartitioning(table, id), isNew: found === undefined }
}
export type TableSpecs = ReturnType<typeof chooseSpecs>

/** Fails if another program deleted or repartitioned rows, because they would reappear or be overlooked. */
export const refuseForeign = Effect.fnUntraced(function* (
  name: string,
  { day, joined }: TableSpecs,
  manifests: ReadonlyArray<ManifestFile>
) {
  const own = new Set([day["spec-id"], joined["spec-id"]])
  const foreign = manifests.find(({ content, partition_spec_id: spec }) => content !== 0 || !own.has(spec))
  if (foreign === undefined) return
  const what = foreign.content === 0 ? "also has another partitioning" : "has files of deleted rows"
  return yield* unfit(
    name,
    `${what} from another program, so its files cannot be compacted`,
    "Undo the change with the program that made it, then export again"
  )
})
