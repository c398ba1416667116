import { Effect, Redacted, Schema } from "effect"
import { IcebergRestCatalog } from "iceberg-js"
import type { Destination } from "../../destination/Destination.ts"
import { tableName } from "../../drop/Drop.ts"
import { type ExportTable, CommitLost, TableUnfit } from "../../drop/exportTables.ts"
import type { Catalogue, CatalogueTable } from "./Catalogue.ts"
import { catalogueStep, unlessStatus } from "./catalogueStep.ts"
import type { TableCommit } from "./TableCommit.ts"
import type { IcebergSettings } from "./IcebergSettings.ts"
import { currentSnapshot, destinationProperty, tableProperties, TableMetadata } from "./TableMetadata.ts"
import { partitionSpecOf, schemaOf } from "./tableSchema.ts"

const maxAnswerMillis = 60_000

const mutable = <A extends { readonly fields: ReadonlyArray<unknown> }>(one: A) => ({
  ...one,
  fields: [...one.fields] as Array<A["fields"][number]>
})

const tableAt = (url: string) => (name: string, metadata: unknown) =>
  Schema.decodeUnknownEffect(TableMetadata)(metadata).pipe(
    Effect.mapBoth({
      onSuccess: (known): CatalogueTable => ({ name, metadata: known }),
      onFailure: () =>
        new TableUnfit({
          format: "Iceberg",
          table: name,
          reason: `is in ${url} with metadata that Cardlake cannot go on from`,
          next: "If another program wrote to it, roll that back with it; else export to another destination and namespace"
        })
    })
  )

/** A commit as the catalogue takes it: what must still hold, and what changes. */
const changesOf = (metadata: TableMetadata, { schema, snapshot, spec }: TableCommit) => ({
  requirements: [
    { type: "assert-table-uuid" as const, uuid: metadata["table-uuid"] },
    {
      type: "assert-ref-snapshot-id" as const,
      ref: "main",
      "snapshot-id": currentSnapshot(metadata)?.["snapshot-id"] ?? null
    },
    { type: "assert-current-schema-id" as const, "current-schema-id": metadata["current-schema-id"] }
  ],
  updates: [
    ...(schema === null
      ? []
      : [
          { action: "add-schema" as const, schema: mutable(schema) },
          { action: "set-current-schema" as const, "schema-id": -1 }
        ]),
    ...(spec === null ? [] : [{ action: "add-spec" as const, spec: mutable(spec) }]),
    { action: "add-snapshot" as const, snapshot },
    {
      action: "set-snapshot-ref" as const,
      "ref-name": "main",
      type: "branch" as const,
      "snapshot-id": snapshot["snapshot-id"]
    }
  ]
})

/** Tables of a REST catalogue: it has their metadata, the destination their data and manifests. */
export const restCatalogue = (
  to: Destination,
  url: string,
  { namespace, token, warehouse }: IcebergSettings["Service"]
): Catalogue => {
  const catalogue = new IcebergRestCatalog({
    baseUrl: url,
    ...(warehouse === null ? {} : { warehouse }),
    auth: token === null ? { type: "none" } : { type: "bearer", token: Redacted.value(token) },
    // @effect-diagnostics-next-line globalFetch:off -- the catalogue's client accepts nothing else
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(maxAnswerMillis) })
  })
  const space = { namespace: namespace.split(".") }
  const idOf = (name: string) => ({ ...space, name })

  const tableOf = tableAt(url)
  const makeNamespace = Effect.gen(function* () {
    const what = `Make the namespace ${namespace} in ${url}`
    if (yield* catalogueStep(what, () => catalogue.namespaceExists(space))) return
    yield* unlessStatus(what, 409, () => catalogue.createNamespace(space))
  })

  const find = Effect.fnUntraced(function* (table: ExportTable) {
    const name = tableName(table)
    const found = yield* unlessStatus(`Look for ${name} in ${url}`, 404, () => catalogue.loadTable(idOf(name)))
    return found === null ? null : yield* tableOf(name, found)
  })

  const create = Effect.fnUntraced(function* (table: ExportTable) {
    const name = tableName(table)
    yield* makeNamespace
    const made = yield* unlessStatus(`Make ${name} in ${url}`, 409, () =>
      catalogue.createTable(space, {
        name,
        location: `${to.root}/${name}`,
        schema: mutable(schemaOf(table, 0)),
        "partition-spec": mutable(partitionSpecOf(table)),
        properties: { "format-version": "2", ...tableProperties(table), [destinationProperty]: to.root }
      })
    )
    if (made === null) return yield* new CommitLost({ format: "Iceberg", table: name })
    return yield* tableOf(name, made)
  })

  return {
    find,
    create,
    commit: Effect.fnUntraced(function* ({ metadata, name }, commit) {
      const done = yield* unlessStatus(`Commit to ${name} in ${url}`, 409, () =>
        catalogue.commitTable(idOf(name), changesOf(metadata, commit))
      )
      if (done === null) return yield* new CommitLost({ format: "Iceberg", table: name })
      return yield* tableOf(name, done.metadata)
    })
  }
}
