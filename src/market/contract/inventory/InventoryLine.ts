import { Schema } from "effect"
import { Link } from "../Link.ts"
import { CatalogId, Count, GameId, Instant } from "../../../feed/contract/Catalogue.ts"
import { limits } from "../Limits.ts"
import { Money } from "../Money.ts"
import { RequestId } from "../../../feed/contract/SearchRequest.ts"

/** A graded card in a slab; null for raw cards and sealed products. Any grading company is possible. Spec: Graded. */
export const Graded = Schema.Struct({
  gradingService: Schema.String,
  grade: Schema.String,
  certification: Schema.NullOr(Schema.String)
}).annotate({ title: "Graded", description: "A card in a slab; null for raw cards and sealed products." })
export type Graded = typeof Graded.Type

/** Grading companies allowed on a new line. Beyond the spec: section 10, 11 fixed names. */
const GradingService = Schema.Literals(["PSA", "BGS", "CGC", "SGC", "ACE", "TAG", "AGS", "GMA", "HGA", "PCA", "CCC"])

/** A slab in a request. Beyond the spec: section 10. */
export const GradedRequest = Schema.Struct({
  gradingService: GradingService,
  grade: Schema.NonEmptyString.check(Schema.isMaxCodePoints(20)),
  certification: Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))))
}).annotate({
  title: "GradedRequest",
  description: "A slab, graded by one of the companies that the marketplace takes."
})

/** The condition of a raw card, from near mint to damaged. Spec: OrderLineItem, condition. */
export const Condition = Schema.Literals(["NM", "LP", "MP", "HP", "DMG"]).annotate({
  title: "Condition",
  description: "Near Mint, Lightly Played, Moderately Played, Heavily Played, Damaged."
})
export type Condition = typeof Condition.Type

/** The seller's own identifier of a line, unique in the account. Spec: Limits, customId length. */
export const CustomId = Schema.NonEmptyString.check(Schema.isMaxCodePoints(limits.customIdLength))

/** A picture of the actual item. Beyond the spec: section 6. */
export const Photo = Schema.Struct({ url: Link, width: Schema.Int, height: Schema.Int }).annotate({
  title: "Photo",
  description: "A picture of the very card; sizes in pixels."
})
export type Photo = typeof Photo.Type

/** The offer of a line. `listingId` is ours: a client of the live service has to expect none. */
const LineListing = Schema.Struct({ price: Money, listingId: Schema.optionalKey(Schema.String) }).annotate({
  title: "LineListing",
  description: "The line's offer. `listingId` names it in `GET /v1/products/{productId}/listings`."
})

/** An inventory line with every key present. `id` can disappear when equal lines merge. Beyond the spec: section 10. */
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
  listing: Schema.NullOr(LineListing),
  photos: Schema.Array(Photo),
  updatedAt: Instant
}).annotate({ title: "InventoryLine", description: "A line of the stock. Its `id` can vanish when equal lines merge." })
export type InventoryLine = typeof InventoryLine.Type

/** A changed line; after a split, also its unchanged part. Beyond the spec: section 10. */
export const ChangedLine = Schema.Struct({ line: InventoryLine, remainder: Schema.NullOr(InventoryLine) }).annotate({
  title: "ChangedLine",
  description: "The changed line; after a split, also the part that stayed as it was."
})
export type ChangedLine = typeof ChangedLine.Type

const Text = Schema.String.check(Schema.isMaxCodePoints(limits.textLength))
const Name = Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))
const Names = Schema.Array(Name).check(Schema.isMaxLength(limits.tagsPerLine))

/** Any number is read, and refused line by line, unless it is a number of units. */
// @effect-diagnostics-next-line schemaNumber:off -- infinite figures and NaN fail the check
const Quantity = Schema.Number.check(
  Schema.makeFilter(Number.isFinite, {
    expected: "a finite number",
    representation: { id: "effect/schema/isFinite", payload: null },
    toJsonSchema: () => ({ type: "integer", minimum: 1 })
  })
)

/** A new line. Checks that need the catalogue apply to each line separately. Beyond the spec: section 10. */
export const NewLine = Schema.Struct({
  productId: RequestId,
  finish: Schema.String,
  language: Schema.optionalKey(Schema.NullOr(Schema.String)),
  quantity: Quantity,
  condition: Schema.optionalKey(Schema.NullOr(Condition)),
  graded: Schema.optionalKey(Schema.NullOr(GradedRequest)),
  customId: Schema.optionalKey(Schema.NullOr(CustomId)),
  comment: Schema.optionalKey(Schema.NullOr(Text)),
  notes: Schema.optionalKey(Schema.NullOr(Text)),
  location: Schema.optionalKey(Schema.NullOr(Name)),
  tags: Schema.optionalKey(Names),
  listing: Schema.optionalKey(Schema.NullOr(Schema.Struct({ price: Money }).annotate({ title: "LinePrice" })))
}).annotate({
  title: "NewLine",
  description:
    "A new line. Without `customId`, it adds its units to the oldest line that it equals in product, finish, condition, language, grading, price and location; that line keeps its comment, notes and tags."
})
export type NewLine = typeof NewLine.Type

export const CreateLines = Schema.Struct({
  lines: Schema.Array(NewLine).check(Schema.isMinLength(1), Schema.isMaxLength(limits.linesPerCreate))
}).annotate({
  title: "CreateLines",
  description: "Up to 1,000 lines; what is wrong with a single one is in the answer's `errors`."
})

/** The reason why a line was not created. Beyond the spec: section 10, per-line create errors. */
export const LineErrorCode = Schema.Literals([
  "PRODUCT_NOT_FOUND",
  "INVALID_LANGUAGE",
  "INVALID_FINISH",
  "INVALID_QUANTITY",
  "CONDITION_REQUIRED",
  "INVALID_IDENTITY",
  "CUSTOM_ID_CONFLICT",
  "LOCATION_NOT_FOUND",
  "TAG_NOT_FOUND"
])
export type LineErrorCode = typeof LineErrorCode.Type

/** HTTP 200 even if every line failed. For a merged line, `created` has the line that it merged into. */
export const CreatedLines = Schema.Struct({
  created: Schema.Array(InventoryLine),
  errors: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      code: LineErrorCode,
      data: Schema.Record(Schema.String, Schema.Unknown)
    }).annotate({ title: "LineError" })
  )
}).annotate({
  title: "CreatedLines",
  description: "200 even if every line failed. `index` counts the request's lines from 0."
})

/** `{set}` sets the number of units (at least 1), `{adjust}` adds to it. */
const QuantityChange = Schema.Union([
  Schema.Struct({ set: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)) }),
  Schema.Struct({ adjust: Schema.Int })
]).annotate({ title: "QuantityChange", description: "`set` the number of units, or `adjust` it by a number." })

/**
 * Changes of a line. An absent key leaves the field unchanged. `count` changes only that many units and splits the
 * line.
 */
export const LineChange = Schema.Struct({
  quantity: Schema.optionalKey(QuantityChange),
  count: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  finish: Schema.optionalKey(Schema.NonEmptyString),
  condition: Schema.optionalKey(Schema.NullOr(Condition)),
  language: Schema.optionalKey(Schema.NullOr(Schema.NonEmptyString)),
  graded: Schema.optionalKey(Schema.NullOr(GradedRequest)),
  customId: Schema.optionalKey(Schema.NullOr(CustomId)),
  comment: Schema.optionalKey(Schema.NullOr(Text)),
  notes: Schema.optionalKey(Schema.NullOr(Text)),
  location: Schema.optionalKey(Schema.NullOr(Name)),
  tags: Schema.optionalKey(
    Schema.Struct({
      set: Schema.optionalKey(Names),
      add: Schema.optionalKey(Names),
      remove: Schema.optionalKey(Names)
    }).annotate({ title: "TagChange" })
  ),
  /** URLs of the photos to retain, in their new order. */
  photos: Schema.optionalKey(Schema.Array(Schema.NonEmptyString).check(Schema.isMaxLength(limits.photosPerLine)))
}).annotate({
  title: "LineChange",
  description:
    "An absent key leaves the field; an unknown one is refused. `count` changes only that many units. They join the oldest line that they equal now, of which the change alters only what it names, or become a line of their own with the comment, notes, tags and photos of this one. A whole line that equals another one after a change of its identity takes in its units, and the other `id` vanishes."
})
export type LineChange = typeof LineChange.Type

const units = Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)))

/** Offers a line for sale, or some of its units, which become a separate line. */
export const ListLine = Schema.Struct({ price: Money, quantity: units }).annotate({
  title: "ListLine",
  description: "Puts a line up for sale, or `quantity` of its units, which are split off as by `count` of a change."
})

/** The new price of a listed line. */
export const RepriceLine = Schema.Struct({ price: Money }).annotate({
  title: "RepriceLine",
  description: "A new price of a line that is for sale."
})

/** Removes a line, or some of its units, from sale. A missing body is read as null. */
export const UnlistLine = [Schema.Null, Schema.Struct({ quantity: units }).annotate({ title: "UnlistLine" })] as const
