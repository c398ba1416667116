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
  isDown: Schema.optionalKey(Schema.Boolean),
  /** True if the store refuses the request permanently. */
  isRefused: Schema.optionalKey(Schema.Boolean),
  /** The damage of an object that is missing or does not match its name. Absent: another failure. */
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

/** The damage of an object whose content is not a document of its key. */
export const invalidContent = "its content is not Cardlake's"

const restore = "Restore it from a backup of the bucket"

/** Raw pages cannot be rebuilt from tables or by a later night. */
const nextOfPage = `${restore}: there is no other copy. Only a replay or repair of its snapshot needs it; it is reported until that snapshot is pruned: cardlake prune`

/** The next step for a damaged document that no command can rebuild. */
export const nextOfDocument = `${restore}: there is no other copy`

const nextOfCommit = "Rebuild it with: cardlake doctor --repair"

/** The next step for each kind of damaged object, by its key; for the others: a repair rebuilds them if it can. */
const nextSteps: ReadonlyArray<readonly [key: RegExp, next: string]> = [
  [/\/commits\/\d{10}\.json$|\/[0-9a-f]{64}\.runs\.json$/, nextOfCommit],
  [/\/[0-9a-f]{64}\.(list|month)\.json$/, nextOfDocument],
  [/\/(?:\d+|[0-9a-f]{64})\.raw\./, nextOfPage]
]
const nextOfFile = `${restore}, or repair what can be repaired with: cardlake doctor --repair`

/** Returns the next step for a damaged object. No repair replaces a list that a later version may have written. */
export const nextOfDamage = (key: string, damage: string): string => {
  if (damage !== invalidContent) return nextSteps.find(([kind]) => kind.test(key))?.[1] ?? nextOfFile
  const next = key.includes("/commits/") ? nextOfCommit : restore
  return `If a later version of Cardlake wrote it, update Cardlake; else ${next[0]?.toLowerCase()}${next.slice(1)}`
}

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
