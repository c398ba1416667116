import { Schema } from "effect"

const Name = Schema.NonEmptyString.check(Schema.isMaxCodePoints(100))
const Look = Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxCodePoints(50))))

/**
 * A tag or a location of the account, known by its name. Names
 * are compared without case. Beyond the spec: section 16.
 */
export const Label = Schema.Struct({
  name: Schema.String,
  color: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(Schema.String)
}).annotate({
  title: "Label",
  description: "A tag or a location, known by its name; names are compared without case."
})
export type Label = typeof Label.Type

/** A new label; with `upsert` one that is there already is changed instead. */
export const NewLabel = Schema.Struct({
  name: Name,
  color: Look,
  icon: Look,
  upsert: Schema.optionalKey(Schema.Boolean)
}).annotate({
  title: "NewLabel",
  description: "A new tag or location; with `upsert`, one that exists is changed instead."
})

/** Changes of a label; another name follows on every line. */
export const LabelChange = Schema.Struct({ name: Schema.optionalKey(Name), color: Look, icon: Look }).annotate({
  title: "LabelChange",
  description: "A new name follows on every line."
})
