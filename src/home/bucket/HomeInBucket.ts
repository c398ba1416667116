import { Runtime, Schema } from "effect"

/** A command needs the home on this machine. */
export class HomeInBucket extends Schema.TaggedError<HomeInBucket>()("HomeInBucket", { address: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `This command needs the lake on this machine, and ${this.address} is a bucket. Copy it here with: cardlake pull --home ${this.address} --to DIR; then name that folder with --home`
  }
}

/** The setting begins like a bucket's address, and is none. */
export class BucketMisnamed extends Schema.TaggedError<BucketMisnamed>()("BucketMisnamed", { what: Schema.String }) {
  override readonly [Runtime.errorExitCode] = 2

  override get message() {
    return `The home cannot be used: ${this.what}. Correct CARDLAKE_HOME or --home`
  }
}

/** Nothing is at an address: a command that needs a home makes none there. */
export class NoHomeInBucket extends Schema.TaggedError<NoHomeInBucket>()("NoHomeInBucket", { address: Schema.String }) {
  override get message() {
    return `There is no home at ${this.address}: nothing was ever stored there. Check the address (CARDLAKE_HOME or --home), or begin a home there with: cardlake nightly`
  }
}

/** There is nothing to copy: no night was published there, or the address is another one. */
export class BucketBare extends Schema.TaggedError<BucketBare>()("BucketBare", { address: Schema.String }) {
  override get message() {
    return `Nothing has been published at ${this.address}. Correct CARDLAKE_HOME or --home, or publish with: cardlake nightly`
  }
}
