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

/** The damage of an object that does not exist. */
export const missing = "it is missing"

const restore = "Restore it from a backup of the bucket"

/** Raw pages cannot be rebuilt from tables or by a later night. */
const nextOfPage = `${restore}: there is no other copy. Only a replay or repair of its snapshot needs it; it is reported until that snapshot is pruned: cardlake prune`

const nextOfFile = `${restore}, or repair what can be repaired with: cardlake doctor --repair`

/** Returns the next step for a damaged object, by its key. */
export const nextOfObject = (key: string): string =>
  /\/(?:\d+|[0-9a-f]{64})\.raw\./.test(key) ? nextOfPage : nextOfFile

/** The next step for a damaged document. */
export const nextOfDocument = `${restore}: there is no other copy`

/** Returns the next step for a short text: a list, or a run's report. A repair rebuilds lists of runs, and skips reports. */
export const nextOfText = (key: string): string =>
  /\/[0-9a-f]{64}\.runs\.[^/]+-/.test(key) ? nextOfFile : key.endsWith(".runs.json") ? nextOfMade : nextOfDocument

/** The next step for a derived document. A backup lacks the last publications. */
export const nextOfMade = "Rebuild it with: cardlake doctor --repair"

/** The next step for an existing but invalid document. */
export const nextOfStrange = `If a later version of Cardlake wrote it, update Cardlake; else ${restore[0]?.toLowerCase()}${restore.slice(1)}`

/** Files that every copy has. */
const inCopies = /^(?:snapshots|changes|history|deployments)\/|^fx_rates\./

/** Returns the next step for a file after a repair has failed, by its path in a home. A copy has no object with several files. */
export const nextAfterRepair = (path: string, isPacked = false): string => {
  if (path.startsWith("raw/")) return nextOfPage
  const copy = inCopies.test(path) && !isPacked ? `, or from ${path} of a copy made by cardlake pull` : ""
  const others = path.startsWith("history/")
    ? ". Until then its game cannot be copied, nor those days exported; nights continue"
    : ""
  return `${restore}${copy}: no command can rebuild it${others}`
}
