import { Runtime, Schema } from "effect"

/** A request to a home's store failed, also after retries. The published state remains. */
export class BucketFailed extends Schema.TaggedError<BucketFailed>()("BucketFailed", {
  step: Schema.String,
  /** The name of the store's error; absent if the store gave none. */
  code: Schema.optionalKey(Schema.String),
  /** The reason, which users see, so it contains no secrets. */
  reason: Schema.String,
  next: Schema.String,
  /** True if a retry may succeed. Absent: the store answered. */
  isAway: Schema.optionalKey(Schema.Boolean),
  /** True if the store refuses the request permanently. */
  isRefused: Schema.optionalKey(Schema.Boolean),
  /** The damage of an object that does not match its name. Absent: another failure. */
  damage: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}

/** A store lacks a guarantee that a home in a bucket needs. */
export class BucketUnfit extends Schema.TaggedError<BucketUnfit>()("BucketUnfit", {
  address: Schema.String,
  /** The store's name, from its answers. */
  store: Schema.String,
  /** The missing guarantee, as the rest of a sentence: `it …`. */
  what: Schema.String
}) {
  override get message() {
    return `${this.store} cannot hold a home at ${this.address}: it ${this.what}. The store must support conditional writes (Amazon S3, MinIO, Cloudflare R2, versitygw); or use a home in a folder`
  }
}

/** Too many conflicts with other writers. */
export class BucketBusy extends Schema.TaggedError<BucketBusy>()("BucketBusy", { document: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 75

  override get message() {
    return `Other runs changed ${this.document} before this run could, several times. Run this again`
  }
}
