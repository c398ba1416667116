import { Schema } from "effect"
import { matching } from "../../../feed/contract/Catalogue.ts"
import { limits } from "../Limits.ts"

/**
 * A key of a sale's metadata: a letter, then letters, digits,
 * `_`, `.` and `-`, 64 in all. Spec: Metadata rules, 1 and 2.
 */
const MetadataKey = Schema.String.check(
  matching(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "a letter, then at most 63 letters, digits, _, . or -")
)

/** Spec: Metadata rules, 3. */
const Value = Schema.String.check(Schema.isMaxCodePoints(limits.metadataValueLength))

/**
 * The seller's own key/value pairs; the buyer never sees them.
 * Another key is refused, not left out. Spec: OrderMetadata.
 */
export const Metadata = Schema.Record(Schema.String, Value).check(Schema.isPropertyNames(MetadataKey)).annotate({
  title: "Metadata",
  description: "The seller's own pairs, at most 50; the buyer never sees them."
})
export type Metadata = typeof Metadata.Type

/** Pairs to merge; null removes a key, `{}` changes nothing. Beyond the spec: section 12. */
export const MetadataChange = Schema.Record(Schema.String, Schema.NullOr(Value))
  .check(Schema.isPropertyNames(MetadataKey))
  .annotate({
    title: "MetadataChange",
    description: "Pairs to merge; null removes a key."
  })
export type MetadataChange = typeof MetadataChange.Type
