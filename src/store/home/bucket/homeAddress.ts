import { Effect, Schema } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { SettingInvalid } from "../../../feed/contract/SettingInvalid.ts"

/** True for the address of a bucket; any other address is a folder. */
export const isBucket = (address: string): boolean => address.startsWith("s3://")

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
  if (!/^\s*(s3:|s3\/\/|[a-z][a-z0-9+.-]+:\/\/)/i.test(home)) return null
  return "Expected a folder or s3://bucket/prefix; an address of a bucket begins with s3://, in lower case, with two slashes and nothing before it. Other S3 stores use s3:// too; AWS_ENDPOINT_URL_S3 is their address"
}

/** True for the address of a front: on the web, in a bucket, or an absolute path. */
export const isPublicUrl = (text: string): boolean => /^((https?|s3):\/\/[^?#\s]+|\/.*)$/.test(text)

/** Validates `CARDLAKE_PUBLIC_URL`; null if it is empty. Returns it without slashes at its end. */
export const soundPublicUrl = (setting: string): Effect.Effect<string | null, SettingInvalid> => {
  if (setting === "" || isPublicUrl(setting)) return Effect.succeed(setting.replace(/\/+$/, "") || null)
  const what = "is none of https://HOST/PATH, s3://BUCKET/PREFIX and an absolute path"
  return Effect.fail(new SettingInvalid({ name: "CARDLAKE_PUBLIC_URL", what }))
}

/** True if a home's address is a folder of this machine. */
export const namesFolder = (home: string): boolean => !isBucket(home) && homeAddressFault(home) === null

/** Validates the address of a home. Every command calls it before any request or output with that address. */
export const soundHome = (setting: string): Effect.Effect<string, Fault<"BucketMisnamed">> => {
  const what = homeAddressFault(setting)
  return what === null
    ? Effect.succeed(setting)
    : Effect.fail(new Fault("BucketMisnamed", `The home cannot be used: ${what}. Correct CARDLAKE_HOME or --home`, 2))
}

/** There is nothing to copy, because no night was published there, or the address is wrong. */
export class BucketBare extends Schema.TaggedError<BucketBare>()("BucketBare", { address: Schema.String }) {
  override get message() {
    return `Nothing has been published at ${this.address}. Correct CARDLAKE_HOME or --home, or publish with: cardlake nightly`
  }
}
