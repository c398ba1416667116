import { Schema } from "effect"
import { Link } from "../Link.ts"
import { CatalogId, Count, Instant } from "../../../feed/contract/Catalogue.ts"
import { JobCounts } from "../jobs/Job.ts"
import { limits } from "../Limits.ts"

/** What every event carries. `eventId` is the same in every retry. Spec: Events. */
export const eventFields = { eventId: Schema.String, timestamp: Instant }

/** Why quantities changed. Spec: inventory.quantity.changed, reason. */
export const QuantityReason = Schema.Literals(["order", "order_cancelled", "import", "edit", "listing"])
export type QuantityReason = typeof QuantityReason.Type

/** One line whose quantity changed. Spec: inventory.quantity.changed, changes. */
export const ChangedQuantity = Schema.Struct({
  inventoryId: Schema.String,
  customId: Schema.NullOr(Schema.String),
  productId: CatalogId,
  before: Count,
  after: Count
}).annotate({
  title: "ChangedQuantity",
  description: "One line whose quantity changed, with the units before and after."
})
export type ChangedQuantity = typeof ChangedQuantity.Type

/** At most 500 lines; more of them come as several events. Spec: inventory.quantity.changed. */
export const QuantityChanged = Schema.Struct({
  type: Schema.Literal("inventory.quantity.changed"),
  ...eventFields,
  data: Schema.Struct({
    reason: QuantityReason,
    changes: Schema.Array(ChangedQuantity).check(Schema.isMinLength(1), Schema.isMaxLength(limits.changesPerEvent))
  })
}).annotate({
  title: "QuantityChanged",
  description: "Quantities of lines changed. More than 500 lines come as several events."
})

const Outcome = Schema.Literals(["completed", "failed"])

/** An import ended. A failed one carries zero counts and no link. Spec: inventory.import.completed. */
export const ImportCompleted = Schema.Struct({
  type: Schema.Literal("inventory.import.completed"),
  ...eventFields,
  data: Schema.Struct({
    jobId: Schema.String,
    status: Outcome,
    counts: JobCounts,
    errorReportUrl: Schema.NullOr(Link)
  })
}).annotate({
  title: "ImportCompleted",
  description: "An import ended. A failed one has zero counts and no link; a link works for an hour."
})

/** An export ended. `expiresAt` is the link's end, an hour away. Spec: inventory.export.completed. */
export const ExportCompleted = Schema.Struct({
  type: Schema.Literal("inventory.export.completed"),
  ...eventFields,
  data: Schema.Struct({
    jobId: Schema.String,
    status: Outcome,
    downloadUrl: Schema.NullOr(Link),
    expiresAt: Schema.NullOr(Instant)
  })
}).annotate({
  title: "ExportCompleted",
  description: "An export ended. `expiresAt` is when its link stops working, after an hour."
})
