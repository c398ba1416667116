import { isBucket } from "./isBucket.ts"

const otherStores =
  "Other stores that speak S3, such as Google Cloud Storage, are s3:// too; set AWS_ENDPOINT_URL_S3 to their address"
const ownKeys = "Keys are no part of it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"

/** What is wrong with the address of a bucket; null = nothing. Not quoted: what is there may be a secret. */
const bucketAddressFault = (address: string): string | null => {
  const expected = "Expected s3://bucket/prefix"
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]*)(.*)$/s.exec(address) ?? []
  if (bucket === "") return `${expected}; it names no bucket`
  if (address.includes("?")) return `${expected}, without a question mark. ${ownKeys}`
  if (!/^[\w.-]+$/.test(bucket)) return `${expected}; a bucket's name has only letters, digits, - . and _. ${ownKeys}`
  if (prefix.split("/").some((name) => name === "." || name === ".."))
    return `${expected}; in a bucket, . and .. lead nowhere. Write the prefix in full`
  return null
}

/** What is wrong with an address that is neither a folder nor a bucket; null = it is one. */
export const destinationFault = (address: string): string | null => {
  const expected = "Expected a folder or s3://bucket/prefix"
  if (address.trim() === "") return expected
  if (/^~($|\/)/.test(address)) return `${expected}; only a shell expands ~, so write the full path`
  if (isBucket(address)) return bucketAddressFault(address)
  return /^\s*[a-z][a-z0-9+.-]+:/i.test(address) ? `${expected}. ${otherStores}` : null
}

/** A refused address as it may be shown: what could be a key or a password is left out. */
export const shownAddress = (address: string): string =>
  /^\s*[a-z][a-z0-9+.-]+:(?!\/\/[\w.-]*(\/[\w./-]*)?$)/i.test(address)
    ? address.trimStart().replace(/:.*$/s, "://…")
    : address
