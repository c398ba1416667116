import { isBucket } from "../isBucket.ts"

const ownKeys = "Keys do not belong in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"

/** Returns the fault of a bucket's address; null if it is valid. It never quotes the address, which may be a secret. */
export const bucketAddressFault = (address: string): string | null => {
  const expected = "Expected s3://bucket/prefix"
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]*)(.*)$/s.exec(address) ?? []
  if (bucket === "") return `${expected}; it names no bucket`
  if (/[?#]/.test(address)) return `${expected}, without a question mark or #. ${ownKeys}`
  if (!/^[\w.-]+$/.test(bucket)) return `${expected}; a bucket's name has only letters, digits, - . and _. ${ownKeys}`
  if (prefix.split("/").some((name) => name === "." || name === ".."))
    return `${expected}; a prefix cannot contain . or .. as a name. Write the prefix in full`
  // Some stores treat it as one slash, so the same home would have two addresses.
  if (/\/\/+[^/]/.test(prefix)) return `${expected}, without two slashes in a row`
  return null
}

/** Returns the fault of an address that is neither a folder nor a bucket; null if it is valid. It never quotes it. */
export const homeAddressFault = (home: string): string | null => {
  if (isBucket(home)) return bucketAddressFault(home)
  if (!/^\s*(s3:|[a-z][a-z0-9+.-]+:\/\/)/i.test(home)) return null
  return "Expected a folder or s3://bucket/prefix; an address of a bucket begins with s3://, in lower case, with two slashes and nothing before it. Other S3 stores use s3:// too; AWS_ENDPOINT_URL_S3 is their address"
}

/** True if a home's address is a folder of this machine. */
export const namesFolder = (home: string): boolean => !isBucket(home) && homeAddressFault(home) === null
