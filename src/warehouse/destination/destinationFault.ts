import { bucketAddressFault, isBucket } from "../../store/home/bucket/homeAddress.ts"

const otherStores =
  "Use s3:// for every S3-compatible store, such as Google Cloud Storage, and set AWS_ENDPOINT_URL_S3 to its address"

/** Returns why an address is neither a folder nor a bucket; null = it is valid. */
export const destinationFault = (address: string): string | null => {
  const expected = "Expected a folder or s3://bucket/prefix"
  if (address.trim() === "") return expected
  if (/^~($|\/)/.test(address)) return `${expected}; ~ is not expanded, so write the full path`
  if (isBucket(address)) return bucketAddressFault(address)
  return /^\s*[a-z][a-z0-9+.-]+:/i.test(address) ? `${expected}. ${otherStores}` : null
}

/** Returns a rejected address for display, without any part that could be a key or a password. */
export const shownAddress = (address: string): string =>
  /^\s*[a-z][a-z0-9+.-]+:(?!\/\/[\w.-]*(\/[\w./-]*)?$)/i.test(address)
    ? address.trimStart().replace(/:.*$/s, "://…")
    : address
