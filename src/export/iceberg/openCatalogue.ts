import { Effect, Schema } from "effect"
import type { Destination } from "../destination/Destination.ts"
import type { Drop } from "../drop/Drop.ts"
import { dropTables, nightsName, type Decimals } from "../drop/dropTables.ts"
import type { TableFault } from "../drop/TableFault.ts"
import type { Catalogue } from "./Catalogue.ts"
import { fileCatalogue } from "./fileCatalogue.ts"
import { pathBelow } from "./readManifests.ts"
import { IcebergSettings } from "./IcebergSettings.ts"

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

/** Paths are absolute, so a folder that was moved is refused, even if there is nothing to write. */
const refuseMoved = Effect.fnUntraced(function* (to: Destination, files: Catalogue, decimals: Decimals) {
  const nights = dropTables(decimals).find(({ name }) => name === nightsName)
  if (nights === undefined) return
  // A table that cannot be read is left alone later; here it tells nothing.
  const found = yield* Effect.catchTag(files.find(nights), "TableUnfit", () => Effect.succeed(null))
  if (found !== null) yield* pathBelow(to, found.name, found.metadata.location)
})

/** The catalogue of a drop's tables: a server, or their files alone. */
export const openCatalogue = Effect.fnUntraced(function* (
  to: Destination,
  { catalogue, decimals }: Drop
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
  return restCatalogue(to, catalogue, settings)
})
