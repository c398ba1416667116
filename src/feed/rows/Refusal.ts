import { Schema } from "effect"
import { PageKind } from "../contract/records.ts"

/** A record that the contract refuses. Stored with its position and reason and counted, never dropped. */
export const Refusal = Schema.Struct({
  kind: PageKind,
  /** `file` of its page. */
  page: Schema.String,
  /** Position in the page's `data`, from 0. */
  index: Schema.Int,
  /** The record's id as text, if it has one. */
  id: Schema.NullOr(Schema.String),
  /** Field path of the first fault, such as `pricesByFinish.Foil.sourceEur.low`. */
  path: Schema.String,
  reason: Schema.String,
  /** The record as JSON text; of a very long one, the beginning and a mark. */
  raw: Schema.String
})
export type Refusal = typeof Refusal.Type
