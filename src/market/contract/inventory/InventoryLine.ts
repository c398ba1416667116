import { Schema } from "effect"
import { Link } from "../Link.ts"
import { CatalogId, Count, GameId, Instant } from "../../../feed/contract/Catalogue.ts"
import { limits } from "../Limits.ts"
import { Money } from "../Money.ts"
import { Condition, Graded } from "./Graded.ts"

/** The seller's own identifier of a line, unique in the account. Spec: Limits, customId length. */
export const CustomId = Schema.NonEmptyString.check(Schema.isMaxCodePoints(limits.customIdLength))

/** A picture of the very card. Beyond the spec: section 6. */
export const Photo = Schema.Struct({ url: Link, width: Schema.Int, height: Schema.Int }).annotate({
  title: "Photo",
  description: "A picture of the very card; sizes in pixels."
})
export type Photo = typeof Photo.Type

/** A line of the stock. Every key is there. `id` can vanish when equal lines merge. Beyond the spec: section 10. */
export const InventoryLine = Schema.Struct({
  id: Schema.String,
  customId: Schema.NullOr(CustomId),
  comment: Schema.NullOr(Schema.String),
  notes: Schema.NullOr(Schema.String),
  location: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  productId: CatalogId,
  game: GameId,
  finish: Schema.String,
  condition: Schema.NullOr(Condition),
  language: Schema.NullOr(Schema.String),
  quantity: Count,
  graded: Schema.NullOr(Graded),
  forSale: Schema.Boolean,
  listing: Schema.NullOr(Schema.Struct({ price: Money }).annotate({ title: "LineListing" })),
  photos: Schema.Array(Photo),
  updatedAt: Instant
}).annotate({
  title: "InventoryLine",
  description: "A line of the stock. Its `id` can vanish when equal lines merge."
})
export type InventoryLine = typeof InventoryLine.Type

/** A changed line; of a split, also the part that stayed as it was. Beyond the spec: section 10. */
export const ChangedLine = Schema.Struct({ line: InventoryLine, remainder: Schema.NullOr(InventoryLine) }).annotate({
  title: "ChangedLine",
  description: "The changed line; after a split, also the part that stayed as it was."
})
export type ChangedLine = typeof ChangedLine.Type
