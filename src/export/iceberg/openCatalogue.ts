import { Effect, Schema } from "effect"
import type { Destination } from "../destination/Destination.ts"
import type { Drop } from "../drop/Drop.ts"
import type { Catalogue } from "./Catalogue.ts"
import { fileCatalogue } from "./fileCatalogue.ts"
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

/** The catalogue of a drop's tables: a server, or their files alone. */
export const openCatalogue = Effect.fnUntraced(function* (
  to: Destination,
  { catalogue }: Drop
): Effect.fn.Return<Catalogue, OtherCatalogue, IcebergSettings> {
  if (catalogue === undefined) return fileCatalogue(to)
  const settings = yield* IcebergSettings
  if (settings.url !== catalogue)
    return yield* new OtherCatalogue({ address: to.address, catalogue, set: settings.url })
  const { restCatalogue } = yield* Effect.promise(() => import("./restCatalogue.ts"))
  return restCatalogue(to, catalogue, settings)
})
