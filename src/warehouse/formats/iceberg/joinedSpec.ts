import { Effect } from "effect"
import { type ExportTable, TableUnfit } from "../../drop/exportTables.ts"
import type { CatalogueTable } from "./Catalogue.ts"
import type { ManifestFile } from "./manifests.ts"
import { joinedSpecOf, partitionSpecOf } from "./tableSchema.ts"

const told = (fields: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  fields.map((field) => `${String(field["name"])} ${String(field["transform"])} ${String(field["source-id"])}`).join()

/** A table's partitionings: that of its days, that of files of several days, and whether it has the second yet. */
export const specsOf = (table: ExportTable, { metadata }: CatalogueTable) => {
  const day = partitionSpecOf(table)
  const specs = metadata["partition-specs"]
  const found = specs.find(({ fields }) => told(fields) === told(joinedSpecOf(table, 0).fields))
  const id = found?.["spec-id"] ?? specs.reduce((last, one) => Math.max(last, one["spec-id"]), 0) + 1
  return { day, joined: joinedSpecOf(table, id), isNew: found === undefined }
}
export type TableSpecs = ReturnType<typeof specsOf>

/** Rows that another program deleted or partitioned otherwise would come back, or be overlooked. */
export const refuseForeign = Effect.fnUntraced(function* (
  name: string,
  { day, joined }: TableSpecs,
  manifests: ReadonlyArray<ManifestFile>
) {
  const own = new Set([day["spec-id"], joined["spec-id"]])
  const foreign = manifests.find(({ content, partition_spec_id: spec }) => content !== 0 || !own.has(spec))
  if (foreign === undefined) return
  const what = foreign.content === 0 ? "is partitioned otherwise, too" : "has files of deleted rows"
  return yield* new TableUnfit({
    format: "Iceberg",
    table: name,
    reason: `${what}, by another program, so its files are not joined`,
    next: "Take that back with the program that did it, then export again"
  })
})
