import { unfit } from "./tableSchema.ts"
import { Effect, Schema, Clock } from "effect"
import type { Destination } from "../../destination/Destination.ts"
import { type Drop, tableName } from "../../drop/Drop.ts"
import { exportTables, nightsName, type Decimals, type TableFault, commitConflict } from "../../drop/exportTables.ts"
import { type Catalogue, type CatalogueTable, committed, formerMetadata } from "./Catalogue.ts"
import { pathBelow } from "./readManifests.ts"
import { IcebergSettings } from "./IcebergSettings.ts"
import { destinationProperty, newTable, TableMetadata } from "./TableMetadata.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

const metadataFile = (table: string, version: number) => `${table}/metadata/v${version}.metadata.json`
const hintFile = (table: string) => `${table}/metadata/version-hint.text`

interface Versioned extends CatalogueTable {
  readonly version: number
}

const json = Schema.fromJsonString(TableMetadata)

const read = Effect.fnUntraced(function* (to: Destination, table: string, version: number) {
  const text = yield* to.read(metadataFile(table, version))
  if (text === null) return null
  const metadata = yield* Effect.mapError(Schema.decodeUnknownEffect(json)(text), () =>
    unfit(
      table,
      `has metadata that Cardlake cannot read: ${to.root}/${metadataFile(table, version)}`,
      "If another program wrote it, roll it back with that program. Otherwise export to another destination"
    )
  )
  return { name: table, metadata, version } satisfies Versioned
})

const missingHint = Effect.fnUntraced(function* (to: Destination, table: string) {
  if ((yield* to.read(metadataFile(table, 1))) === null) return null
  return yield* unfit(
    table,
    `has no valid ${to.root}/${hintFile(table)}`,
    "Write the largest N of the files vN.metadata.json beside it into that file, then export again"
  )
})

/**
 * A catalogue of files alone, as engines know it from Hadoop: `vN.metadata.json`, each N written once, and
 * `version-hint.text` with the last N. A version above the hint is valid. The hint is written before v1, and v1 is
 * never removed: if v1 exists without a usable hint, the hint was deleted, and the table must not be created again.
 */
export const fileCatalogue = (to: Destination): Catalogue => {
  const versions = new Map<string, number>()

  const find = Effect.fnUntraced(function* (table: string) {
    const hint = Math.max(0, Math.floor(Number((yield* to.read(hintFile(table))) ?? "0") || 0))
    let found = hint > 0 ? yield* read(to, table, hint) : null
    if (found === null && hint !== 1) return yield* missingHint(to, table)
    for (let next = hint + 1; ; next++) {
      const later: Versioned | null = yield* read(to, table, next)
      if (later === null) break
      found = later
    }
    // An export was killed between both writes. This repairs the hint for readers, if the destination is writable.
    if (found !== null && found.version !== hint) yield* Effect.ignore(to.write(hintFile(table), String(found.version)))
    if (found !== null) versions.set(table, found.version)
    return found
  })

  const write = Effect.fnUntraced(function* (table: string, version: number, metadata: TableMetadata) {
    const text = yield* Effect.orDie(Schema.encodeEffect(json)(metadata))
    if (!(yield* to.create(metadataFile(table, version), text))) return yield* commitConflict("Iceberg", table)
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
      // Names in the log are not trusted, because another program may have written them.
      if (version > formerMetadata + 1) yield* to.remove(metadataFile(name, version - formerMetadata))
      return written
    })
  }
}

/** Finds the table that every destination has; null = missing, or unreadable, which a later step reports. */
const findNights = (catalogue: Catalogue, decimals: Decimals) => {
  const nights = exportTables(decimals).find(({ name }) => name === nightsName)
  if (nights === undefined) return Effect.succeed(null)
  return Effect.catchTag(catalogue.find(nights), "TableUnfit", () => Effect.succeed(null))
}

/** Fails if a folder was moved, even if there is nothing to write, because paths in Iceberg are absolute. */
const refuseMoved = Effect.fnUntraced(function* (to: Destination, files: Catalogue, decimals: Decimals) {
  const found = yield* findNights(files, decimals)
  if (found !== null) yield* pathBelow(to, found.name, found.metadata.location)
})

/** Fails if another destination uses the namespace, because two writers of the same tables would block each other. */
const refuseTaken = Effect.fnUntraced(function* (to: Destination, server: Catalogue, url: string, decimals: Decimals) {
  const found = yield* findNights(server, decimals)
  const root = found?.metadata.properties?.[destinationProperty] ?? to.root
  if (found === null || root === to.root) return
  return yield* unfit(
    found.name,
    `belongs to another destination in ${url}: ${root}`,
    "Export there, or set ICEBERG_NAMESPACE to an unused name"
  )
})

/** Opens the catalogue of an export's tables: a server, or files alone. */
export const openCatalogue = Effect.fnUntraced(function* (
  to: Destination,
  { catalogue, decimals, namespace }: Drop
): Effect.fn.Return<Catalogue, Fault<"OtherCatalogue"> | TableFault, IcebergSettings> {
  if (catalogue === undefined) {
    const files = fileCatalogue(to)
    yield* refuseMoved(to, files, decimals)
    return files
  }
  const settings = yield* IcebergSettings
  if (settings.url !== catalogue)
    return yield* new Fault(
      "OtherCatalogue",
      `The tables of ${to.address} are in the catalogue ${catalogue}, but ICEBERG_REST_URL ${settings.url === null ? "is not set" : `is ${settings.url}`}. Set it to that catalogue, or export to another destination`
    )
  const { restCatalogue } = yield* Effect.promise(() => import("./restCatalogue.ts"))
  const server = restCatalogue(to, catalogue, { ...settings, namespace: namespace ?? settings.namespace })
  yield* refuseTaken(to, server, catalogue, decimals)
  return server
})
