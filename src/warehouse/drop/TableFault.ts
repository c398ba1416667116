import { Schema } from "effect"
import type { DestinationFailed } from "../destination/DestinationFailed.ts"

/** As a sentence names it: a table of that format. */
const tableAt = { format: Schema.String, table: Schema.String }

/** Another program committed to the table between our look and our commit. */
export class CommitLost extends Schema.TaggedError<CommitLost>()("CommitLost", tableAt) {
  override get message() {
    return `Somebody else committed to the ${this.format} table ${this.table} at the same moment. Nothing of theirs was touched. Run it again`
  }
}

/** A table is not as Cardlake left it. */
export class TableUnfit extends Schema.TaggedError<TableUnfit>()("TableUnfit", {
  ...tableAt,
  reason: Schema.String,
  next: Schema.String
}) {
  override get message() {
    return `The ${this.format} table ${this.table} ${this.reason}. ${this.next}`
  }
}

export type TableFault = CommitLost | DestinationFailed | TableUnfit
