import { Schema } from "effect"

/** A snapshot has lost a file of a table, and no part of its game's history holds the rows. */
export class SnapshotDamaged extends Schema.TaggedError<SnapshotDamaged>()("SnapshotDamaged", {
  gameId: Schema.String,
  snapshot: Schema.String,
  table: Schema.String
}) {
  override get message() {
    return `The snapshot ${this.snapshot} of ${this.gameId} is damaged: its ${this.table}.parquet is gone, and no month of its history holds the rows. Bring the file back from a backup`
  }
}
