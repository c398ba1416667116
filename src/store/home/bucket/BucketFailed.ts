import { Runtime, Schema } from "effect"

/** A request to the store of a home failed, also when it was sent again. What was published stays. */
export class BucketFailed extends Schema.TaggedError<BucketFailed>()("BucketFailed", {
  step: Schema.String,
  /** The name of the store's error; absent if the store gave none. */
  code: Schema.optionalKey(Schema.String),
  /** Shown to people, so without secrets. */
  reason: Schema.String,
  next: Schema.String,
  /** Whether the store may answer another time. Absent: it answered. */
  isAway: Schema.optionalKey(Schema.Boolean),
  /** Whether the store has said no, and will say so again. */
  isRefused: Schema.optionalKey(Schema.Boolean),
  /** What is wrong with an object that is not what its name says. Absent: something else failed. */
  damage: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return `${this.step} failed: ${this.reason}. ${this.next}`
  }
}

/** A store does not do what a home in a bucket relies on. */
export class BucketUnfit extends Schema.TaggedError<BucketUnfit>()("BucketUnfit", {
  address: Schema.String,
  /** Who answers, as it says itself. */
  store: Schema.String,
  /** Continues a sentence: `it …`. */
  what: Schema.String
}) {
  override get message() {
    return `${this.store} cannot hold a home at ${this.address}: it ${this.what}. The store must support conditional writes (Amazon S3, MinIO, Cloudflare R2, versitygw); or use a home in a folder`
  }
}

/** Others wrote again and again before this run could. */
export class BucketBusy extends Schema.TaggedError<BucketBusy>()("BucketBusy", { document: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 75

  override get message() {
    return `Other runs changed ${this.document} before this run could, several times. Run this again`
  }
}
