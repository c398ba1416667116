const ownKeys = "Keys are no part of it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"

/** What is wrong with the address of a bucket; null = nothing. Not quoted: what is there may be a secret. */
export const bucketAddressFault = (address: string): string | null => {
  const expected = "Expected s3://bucket/prefix"
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]*)(.*)$/s.exec(address) ?? []
  if (bucket === "") return `${expected}; it names no bucket`
  if (address.includes("?")) return `${expected}, without a question mark. ${ownKeys}`
  if (!/^[\w.-]+$/.test(bucket)) return `${expected}; a bucket's name has only letters, digits, - . and _. ${ownKeys}`
  if (prefix.split("/").some((name) => name === "." || name === ".."))
    return `${expected}; in a bucket, . and .. lead nowhere. Write the prefix in full`
  return null
}
