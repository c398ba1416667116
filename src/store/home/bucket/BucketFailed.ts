import { Runtime, Schema } from "effect"
import { PathOutside } from "../../../feed/guard/joinBelow.ts"

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

/** Names of errors for a store that was unreachable or too slow. */
const unreached =
  /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EAI_AGAIN|TimeoutError|RequestTimeout|NetworkingError)$/

const keysFound = "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role"

/** The next step for a store's error, by its name. Errors in settings name the setting. */
const nextByName: ReadonlyArray<readonly [names: RegExp, next: string]> = [
  [/^NoSuchBucket$/, "Create the bucket, or check its name, then AGAIN"],
  [
    /^InvalidBucketName$/,
    "Correct the name of the bucket, which follows s3:// in the address: 3 to 63 lower-case letters, digits, hyphens and dots; then AGAIN"
  ],
  [
    /^(AccessDenied|Forbidden|AllAccessDisabled)$/,
    "Allow s3:GetObject, s3:PutObject, s3:DeleteObject (of an export only for Iceberg and after --verify) and s3:ListBucket on the bucket and prefix, then AGAIN. Without s3:ListBucket a missing file looks forbidden"
  ],
  [
    /^(InvalidAccessKeyId|InvalidClientTokenId|XAdminUserNotFound|XMinioAdminNoSuchUser|NoSuchUser)$/,
    `The store does not know the access key. Check AWS_ACCESS_KEY_ID (or AWS_PROFILE, or the role), and that AWS_ENDPOINT_URL_S3 is the store of that key`
  ],
  [
    /^SignatureDoesNotMatch$/,
    "The secret does not match the access key. Check AWS_SECRET_ACCESS_KEY (or AWS_PROFILE, or the role)"
  ],
  [
    /^(ExpiredToken\w*|InvalidToken|TokenRefreshRequired)$/,
    `The session token is expired or invalid. Renew AWS_SESSION_TOKEN with its keys, or the profile or role, then AGAIN`
  ],
  [
    /^(Unauthorized|MissingSecurityHeader|AccountProblem|NotSignedUp|UserSuspended)$/,
    `Check the keys or the profile that the AWS SDK finds: ${keysFound}`
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    "The bucket is in another region. Set AWS_REGION to it, then AGAIN"
  ],
  [
    /^(RequestTimeTooSkewed|RequestExpired)$/,
    "The clock of this machine is too far from the store's. Set it right, then AGAIN"
  ],
  [/^(KMS\b.*|InvalidEncryptionAlgorithm\w*)$/, "Check the key that CARDLAKE_S3_ENCRYPTION names, then AGAIN"],
  [
    /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/,
    "Free space in the store, then AGAIN: it continues from there"
  ],
  [
    /^(ERR_TLS_CERT_ALTNAME_INVALID|ENOTFOUND)$/,
    "Check AWS_ENDPOINT_URL_S3 and the network, and set CARDLAKE_S3_PATH_STYLE=true if the store has no host name per bucket; then AGAIN: it continues from there"
  ],
  [
    /CERT|^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
    "The store's certificate is not trusted. Set NODE_EXTRA_CA_CERTS to its CA, then AGAIN"
  ],
  [/^EPROTO$/, "Begin AWS_ENDPOINT_URL_S3 with https:// if the store uses TLS, else with http://; then AGAIN"],
  [unreached, "Check AWS_ENDPOINT_URL_S3 and the network, then AGAIN: it continues from there"]
]

/** True if a retry of the request would get the same answer. */
const saysNo = (status: number): boolean => status >= 300 && status < 500 && ![408, 409, 412, 425, 429].includes(status)

/** Returns the next step by status if the error's name is unknown. A refused request would be refused again. */
const nextByStatus = (status: number): string | undefined => {
  if (status === 401 || status === 403) return `Check the keys and their permissions there: ${keysFound}; then AGAIN`
  if (!saysNo(status)) return undefined
  return "The store rejects such a request. Check AWS_ENDPOINT_URL_S3, AWS_REGION, CARDLAKE_S3_PATH_STYLE and CARDLAKE_S3_ENCRYPTION, then AGAIN"
}

const causeName = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "an unknown error"
  if ("code" in cause && typeof cause.code === "string" && cause.code !== "") return cause.code
  if (/region is missing|region not accepted: region="\s*"/i.test(cause.message)) return "RegionMissing"
  if (/region not accepted/i.test(cause.message)) return "RegionMisnamed"
  return cause.name
}

const httpStatus = (cause: unknown): number | null => {
  const metadata = cause instanceof Error && "$metadata" in cause ? cause.$metadata : null
  const status = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata ? metadata : null
  return typeof status?.httpStatusCode === "number" ? status.httpStatusCode : null
}

/** Errors, also with status 404, about a missing bucket or key owner instead of an object. */
const notOfObjects = /^(NoSuchBucket|InvalidBucketName|NoSuchUser|XAdmin\w+|XMinioAdmin\w+)$/

/** True if a store reports that the object does not exist. */
export const isNotThere = (cause: unknown): boolean =>
  ["NoSuchKey", "NotFound"].includes(causeName(cause)) ||
  (httpStatus(cause) === 404 && !notOfObjects.test(causeName(cause)))

/** True if a store reports a concurrent write of the same object. The winner is known only after that write ends. */
export const isConflict = (cause: unknown): boolean => httpStatus(cause) === 409

/** True if a store reports that the object exists, or that another client is writing it. */
export const isTaken = (cause: unknown): boolean => httpStatus(cause) === 412 || isConflict(cause)

/** True if a retry may succeed, because the store was unreachable, or reports a temporary failure. */
export const isDown = (cause: unknown): boolean => unreached.test(causeName(cause)) || (httpStatus(cause) ?? 0) >= 500

/** True if a store refuses a request permanently. */
export const isRefused = (cause: unknown): boolean => saysNo(httpStatus(cause) ?? 0)

/** True if an object ends before the requested part. */
export const isTooShort = (cause: unknown): boolean => httpStatus(cause) === 416

/** True if a store does not support the request or header. */
export const isNotImplemented = (cause: unknown): boolean => httpStatus(cause) === 501

const setRegion = "Set AWS_REGION, such as eu-central-1"

/** Faults of settings that are found before any request. */
const settingFaults: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  RegionMissing: ["no region is set", setRegion],
  RegionMisnamed: ["the region is not a valid name", setRegion],
  CredentialsProviderError: ["no usable key was found", `Set ${keysFound}`]
}

/** The reason for a store's failure, and the next step. */
export interface BucketFault {
  /** The name of the store's error, such as `AccessDenied`. */
  readonly code?: string
  readonly reason: string
  readonly next: string
}

/** Describes a store's error without its text, which may quote the request. `again` continues "then …". */
export const bucketFault = (cause: unknown, again: string): BucketFault => {
  if (cause instanceof PathOutside) return { reason: cause.reason, next: cause.next }
  const name = causeName(cause)
  const status = httpStatus(cause)
  const [reason, next] = settingFaults[name] ?? []
  if (reason !== undefined && next !== undefined) return { code: name, reason, next }
  const step = nextByName.find(([names]) => names.test(name))?.[1] ?? nextByStatus(status ?? 0)
  const known = step?.replaceAll("AGAIN", again)
  return {
    code: name,
    reason: status === null ? name : `the store answered ${status} (${name})`,
    next: known ?? `${again[0]?.toUpperCase()}${again.slice(1)} later: it continues from there`
  }
}
