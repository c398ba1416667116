import { Effect, Runtime, Schema } from "effect"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { homeAddressFault } from "./address/bucketAddressFault.ts"

/** The command requires a home on this machine. */
export class HomeInBucket extends Schema.TaggedError<HomeInBucket>()("HomeInBucket", { address: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `This command needs the lake on this machine, and ${this.address} is a bucket. Copy it here with: cardlake pull --home ${shellWord(this.address)} --to DIR; then name that folder with --home`
  }
}

/** The setting begins like a bucket's address but is invalid. */
export class BucketMisnamed extends Schema.TaggedError<BucketMisnamed>()("BucketMisnamed", { what: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `The home cannot be used: ${this.what}. Correct CARDLAKE_HOME or --home`
  }
}

/** Validates the address of a home. Every command calls it before any request or output with that address. */
export const soundHome = (setting: string): Effect.Effect<string, BucketMisnamed> => {
  const what = homeAddressFault(setting)
  return what === null ? Effect.succeed(setting) : Effect.fail(new BucketMisnamed({ what }))
}

/** The address has no home, and a command that needs one does not create it. */
export class NoHomeInBucket extends Schema.TaggedError<NoHomeInBucket>()("NoHomeInBucket", { address: Schema.String }) {
  override get message() {
    return `There is no home at ${this.address}: nothing was ever stored there. Check the address (CARDLAKE_HOME or --home), or create a home there with: cardlake nightly`
  }
}

/** There is nothing to copy, because no night was published there, or the address is wrong. */
export class BucketBare extends Schema.TaggedError<BucketBare>()("BucketBare", { address: Schema.String }) {
  override get message() {
    return `Nothing has been published at ${this.address}. Correct CARDLAKE_HOME or --home, or publish with: cardlake nightly`
  }
}
