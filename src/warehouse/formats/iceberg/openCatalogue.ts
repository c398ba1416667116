import { Effect, Schema } from "effect"
import type { Destination } from "../../destination/Destination.ts"
import type { Drop } from "../../drop/Drop.ts"
import { exportTables, nightsName, type Decimals, type TableFault, TableUnfit } from "../../drop/exportTables.ts"
import type { Catalogue } from "./Catalogue.ts"
import { fileCatalogue } from "./fileCatalogue.ts"
import { pathBelow } from "./readManifests.ts"
import { IcebergSettings } from "./IcebergSettings.ts"
import { destinationProperty } from "./TableMetadata.ts"

/** The settings name another catalogue than the one with a destination's tables. */
export class OtherCatalogue extends Schema.TaggedError<OtherCatalogue>()("OtherCatalogue", {
  address: Schema.String,
  catalogue: Schema.String,
  set: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const found = this.set === null ? "is not set" : `is ${this.set}`
    return `The tables of ${this.address} are in the catalogue ${this.catalogue}, but ICEBERG_REST_URL ${found}. Set it to that catalogue, or export to another destination`
  }
}

/** The table that every destination has; null = there is none, or it cannot be read and is left alone later. */
const findNights = (catalogue: Catalogue, decimals: Decimals) => {
  const nights = exportTables(decimals).find(({ name }) => name === nightsName)
  if (nights === undefined) return Effect.succeed(null)
  return Effect.catchTag(catalogue.find(nights), "TableUnfit", () => Effect.succeed(null))
}

/** Paths are absolute, so a folder that was moved is refused, even if there is nothing to write. */
const refuseMoved = Effect.fnUntraced(function* (to: Destination, files: Catalogue, decimals: Decimals) {
  const found = yield* findNights(files, decimals)
  if (found !== null) yield* pathBelow(to, found.name, found.metadata.location)
})

/** Two destinations in one namespace would write to the same tables, and then neither could go on. */
const refuseTaken = Effect.fnUntraced(function* (to: Destination, server: Catalogue, url: string, decimals: Decimals) {
  const found = yield* findNights(server, decimals)
  const root = found?.metadata.properties?.[destinationProperty] ?? to.root
  if (found === null || root === to.root) return
  return yield* new TableUnfit({
    format: "Iceberg",
    table: found.name,
    reason: `is in ${url} for another destination: ${root}`,
    next: "Export there, or set ICEBERG_NAMESPACE to a name that is not in use yet"
  })
})

/** The catalogue of a drop's tables: a server, or their files alone. */
export const openCatalogue = Effect.fnUntraced(function* (
  to: Destination,
  { catalogue, decimals, namespace }: Drop
): Effect.fn.Return<Catalogue, OtherCatalogue | TableFault, IcebergSettings> {
  if (catalogue === undefined) {
    const files = fileCatalogue(to)
    yield* refuseMoved(to, files, decimals)
    return files
  }
  const settings = yield* IcebergSettings
  if (settings.url !== catalogue)
    return yield* new OtherCatalogue({ address: to.address, catalogue, set: settings.url })
  const { restCatalogue } = yield* Effect.promise(() => import("./restCatalogue.ts"))
  const server = restCatalogue(to, catalogue, { ...settings, namespace: namespace ?? settings.namespace })
  yield* refuseTaken(to, server, catalogue, decimals)
  return server
})
