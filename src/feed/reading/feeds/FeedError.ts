import { Schema } from "effect"
import { DeploymentId } from "../../contract/Ids.ts"

const game = { gameId: Schema.String }

export class NoFeeds extends Schema.TaggedError<NoFeeds>()("NoFeeds", game) {
  override get message() {
    return `The marketplace has no feed files of ${this.gameId}. Read it page by page: cardlake nightly --via pages`
  }
}

/** The description of a game's feed files is unavailable or invalid. */
export class FeedsUnknown extends Schema.TaggedError<FeedsUnknown>()("FeedsUnknown", {
  ...game,
  /** A sentence that ends with the next step. */
  why: Schema.String
}) {
  override get message() {
    return `The marketplace's answer about the feed files of ${this.gameId} cannot be used. ${this.why}; or read it page by page: cardlake nightly --via pages`
  }
}

/** The feed files do not contain the newest deployment yet. They probably will some minutes later. */
export class FeedsLag extends Schema.TaggedError<FeedsLag>()("FeedsLag", {
  ...game,
  /** The newest deployment. */
  head: DeploymentId
}) {
  override get message() {
    return `The feed files of ${this.gameId} do not show its newest deployment yet. Run it again later: cardlake nightly`
  }
}

/** The feed files contain an earlier deployment than the lake, which was read page by page. */
export class FeedsBehind extends Schema.TaggedError<FeedsBehind>()("FeedsBehind", {
  ...game,
  published: Schema.NullOr(DeploymentId)
}) {
  override get message() {
    return `The feed files of ${this.gameId} are older than the lake, which has deployment ${this.published}. Run it again later, or read it page by page: cardlake nightly --via pages`
  }
}

/** A feed file is unavailable or does not match its description. */
export class FeedFailed extends Schema.TaggedError<FeedFailed>()("FeedFailed", {
  ...game,
  file: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `The ${this.file} file of ${this.gameId} cannot be used: ${this.what}. Run the command again later; if it persists, report it to the marketplace, and read page by page: cardlake nightly --via pages`
  }
}
