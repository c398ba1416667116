/** The store was not reached, or did not answer in time. */
const unreached =
  /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|EAI_AGAIN|TimeoutError|RequestTimeout|NetworkingError)$/

/** What to do about an error of the store, by its name. */
const nextSteps: ReadonlyArray<readonly [names: RegExp, next: string]> = [
  [/^NoSuchBucket$/, "Create the bucket, or check its name, then AGAIN"],
  [
    /^(AccessDenied|Forbidden|AllAccessDisabled)$/,
    "Allow s3:GetObject, s3:PutObject (for Iceberg, and after --verify, s3:DeleteObject) and s3:ListBucket on the bucket and prefix, then AGAIN. Without s3:ListBucket a file that is not there looks forbidden"
  ],
  [
    /^(CredentialsProviderError|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken\w*|InvalidToken|TokenRefreshRequired|Unauthorized)$/,
    "Check the keys or the profile that the AWS SDK finds: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or a role"
  ],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    "The bucket is in another region. Set AWS_REGION to it, then AGAIN"
  ],
  [unreached, "Check AWS_ENDPOINT_URL_S3 and the network, then AGAIN: what is there stays, the rest follows"]
]

const nameOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return "an unknown error"
  if ("code" in cause && typeof cause.code === "string" && cause.code !== "") return cause.code
  if (/region is missing/i.test(cause.message)) return "RegionMissing"
  return cause.name
}

const statusOf = (cause: unknown): number | null => {
  const metadata = cause instanceof Error && "$metadata" in cause ? cause.$metadata : null
  const status = typeof metadata === "object" && metadata !== null && "httpStatusCode" in metadata ? metadata : null
  return typeof status?.httpStatusCode === "number" ? status.httpStatusCode : null
}

/** Whether a store says that the object does not exist. */
export const isNotThere = (cause: unknown): boolean =>
  ["NoSuchKey", "NotFound"].includes(nameOf(cause)) || (statusOf(cause) === 404 && nameOf(cause) !== "NoSuchBucket")

/** Whether a store says that something is already there, or is being written by somebody else. */
export const isTaken = (cause: unknown): boolean => statusOf(cause) === 412 || statusOf(cause) === 409

/** Whether a store may do the same another time: it was not reached, or says that it cannot now. */
export const isAway = (cause: unknown): boolean => unreached.test(nameOf(cause)) || (statusOf(cause) ?? 0) >= 500

/** Whether a store says that it does not know the request or header. */
export const isNotImplemented = (cause: unknown): boolean => statusOf(cause) === 501

/** Why a store did not do it, and what to do. */
export interface BucketFault {
  readonly reason: string
  readonly next: string
}

/** A store's error, without its text, which may quote the request; `again` continues "then …". */
export const bucketFault = (cause: unknown, again: string): BucketFault => {
  const name = nameOf(cause)
  const status = statusOf(cause)
  if (name === "RegionMissing") return { reason: "no region is set", next: "Set AWS_REGION, such as eu-central-1" }
  const known = nextSteps.find(([names]) => names.test(name))?.[1].replaceAll("AGAIN", again)
  return {
    reason: status === null ? name : `the store answered ${status} (${name})`,
    next: known ?? `${again[0]?.toUpperCase()}${again.slice(1)} later: what is there stays, the rest follows`
  }
}
