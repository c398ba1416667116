import { Schema } from "effect"

/** How many ids in other systems look wrong, by kind; the view `id_audit` explains the kinds. */
export const IdAudit = Schema.Struct({
  shared: Schema.Int,
  doubled: Schema.Int,
  moved: Schema.Int,
  missing: Schema.Int,
  apart: Schema.Int
})
export type IdAudit = typeof IdAudit.Type
