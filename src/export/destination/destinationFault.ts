import { isBucket } from "./isBucket.ts"

/** What is wrong with an address that is neither a folder nor a bucket; null = it is one. */
export const destinationFault = (address: string): string | null => {
  const expected = "Expected a folder or s3://bucket/prefix"
  if (address.trim() === "") return expected
  if (/^~($|\/)/.test(address)) return `${expected}; only a shell expands ~, so write the full path`
  if (isBucket(address) || !/^[a-z][a-z0-9+.-]+:/i.test(address)) return null
  return `${expected}. Other stores that speak S3, such as Google Cloud Storage, are s3:// too; set AWS_ENDPOINT_URL_S3 to their address`
}
