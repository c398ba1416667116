import { Schema } from "effect"

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
export const GradingService = Schema.Literals([
  "PSA",
  "BGS",
  "CGC",
  "SGC",
  "ACE",
  "TAG",
  "AGS",
  "GMA",
  "HGA",
  "PCA",
  "CCC"
])

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
