import { Schema } from "effect"
import { Link } from "../Link.ts"
import { CatalogId, Count, GameId, Instant } from "../../../feed/contract/Catalogue.ts"
import { limits } from "../Limits.ts"
import { Money } from "../Money.ts"

/** A card in a slab. Null for raw cards and sealed products. Any grading company may come back. Spec: Graded. */
export const Graded = Schema.Struct({
  gradingService: Schema.String,
  grade: Schema.String,
  certification: Schema.NullOr(Schema.String)
}).annotate({
  title: "Graded",
  description: "A card in a slab; null for raw cards and sealed products."
})
export type Graded = typeof Graded.Type

/** The grading companies that a new line may name. Beyond the spec: section 10, 11 fixed names. */
const GradingService = Schema.Literals(["PSA", "BGS", "CGC", "SGC", "ACE", "TAG", "AGS", "GMA", "HGA", "PCA", "CCC"])

/** A slab as a request describes it. Beyond the spec: section 10. */
export const GradedRequest = Schema.Struct({
  gradingService: GradingService,
  grade: Schema.NonEmptyString.check(Schema.isMaxCodePoints(20)),
  certification: Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))))
}).annotate({
  title: "GradedRequest",
  description: "A slab, graded by one of the companies that the marketplace takes."
})

/** How worn a raw card is: near mint to damaged. Spec: OrderLineItem, condition. */
export const Condition = Schema.Literals(["NM", "LP", "MP", "HP", "DMG"]).annotate({
  title: "Condition",
  description: "Near Mint, Lightly Played, Moderately Played, Heavily Played, Damaged."
})
export type Condition = typeof Condition.Type

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
