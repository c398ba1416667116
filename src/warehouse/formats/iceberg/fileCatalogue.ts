import { Clock, Effect, Schema } from "effect"
import type { Destination } from "../../destination/Destination.ts"
import { CommitLost, TableUnfit } from "../../drop/exportTables.ts"
import { type Catalogue, type CatalogueTable, committed, formerMetadata } from "./Catalogue.ts"
import { newTable, TableMetadata } from "./TableMetadata.ts"
import { tableName } from "../../drop/Drop.ts"

const metadataFile = (table: string, version: number) => `${table}/metadata/v${version}.metadata.json`
const hintFile = (table: string) => `${table}/metadata/version-hint.text`

interface Versioned extends CatalogueTable {
  readonly version: number
}

const json = Schema.fromJsonString(TableMetadata)

const read = Effect.fnUntraced(function* (to: Destination, table: string, version: number) {
  const text = yield* to.read(metadataFile(table, version))
  if (text === null) return null
  const metadata = yield* Effect.mapError(
    Schema.decodeUnknownEffect(json)(text),
    () =>
      new TableUnfit({
        format: "Iceberg",
        table,
        reason: `has metadata that Cardlake cannot read: ${to.root}/${metadataFile(table, version)}`,
        next: "If another program wrote it, roll that back with it; else export to another destination"
      })
  )
  return { name: table, metadata, version } satisfies Versioned
})

const lostHint = Effect.fnUntraced(function* (to: Destination, table: string) {
  if ((yield* to.read(metadataFile(table, 1))) === null) return null
  return yield* new TableUnfit({
    format: "Iceberg",
    table,
    reason: `has no ${to.root}/${hintFile(table)} that names one of its versions`,
    next: "Write the greatest N of the vN.metadata.json beside it there, then export again"
  })
})

/**
 * Tables as files only, as engines know them from Hadoop: `vN.metadata.json`, each N written once, and
 * `version-hint.text` with the last N. A version above the hint counts. The hint is written before v1, and v1 is never
 * removed: if there is a v1 but no usable hint, the hint was lost, and the table is not started again.
 */
export const fileCatalogue = (to: Destination): Catalogue => {
  const versions = new Map<string, number>()

  const find = Effect.fnUntraced(function* (table: string) {
    const hint = Math.max(0, Math.floor(Number((yield* to.read(hintFile(table))) ?? "0") || 0))
    let found = hint > 0 ? yield* read(to, table, hint) : null
    if (found === null && hint !== 1) return yield* lostHint(to, table)
    for (let next = hint + 1; ; next++) {
      const later: Versioned | null = yield* read(to, table, next)
      if (later === null) break
      found = later
    }
    // An export died between the two: from now on, readers that trust the hint see it. Not where nothing can be written.
    if (found !== null && found.version !== hint) yield* Effect.ignore(to.write(hintFile(table), String(found.version)))
    if (found !== null) versions.set(table, found.version)
    return found
  })

  const write = Effect.fnUntraced(function* (table: string, version: number, metadata: TableMetadata) {
    const text = yield* Effect.orDie(Schema.encodeEffect(json)(metadata))
    if (!(yield* to.create(metadataFile(table, version), text)))
      return yield* new CommitLost({ format: "Iceberg", table })
    yield* to.write(hintFile(table), String(version))
    versions.set(table, version)
    return { name: table, metadata } satisfies CatalogueTable
  })

  return {
    find: (table) => find(tableName(table)),
    create: Effect.fnUntraced(function* (table) {
      const name = tableName(table)
      yield* to.write(hintFile(name), "1")
      return yield* write(name, 1, newTable(table, `${to.root}/${name}`, yield* Clock.currentTimeMillis))
    }),
    commit: Effect.fnUntraced(function* ({ metadata, name }, commit) {
      const version = versions.get(name) ?? 0
      const after = committed(metadata, commit, `${to.root}/${metadataFile(name, version)}`)
      const written = yield* write(name, version + 1, after)
      // Never by the names in the log: another program may have written them.
      if (version > formerMetadata + 1) yield* to.remove(metadataFile(name, version - formerMetadata))
      return written
    })
  }
}
