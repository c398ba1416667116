import { Schema } from "effect"
import { DeploymentId } from "../../contract/Ids.ts"

const game = { gameId: Schema.String }

/** There is nothing to read by: the game, or the service, has no feed files. */
export class NoFeeds extends Schema.TaggedError<NoFeeds>()("NoFeeds", game) {
  override get message() {
    return `The marketplace has no feed files of ${this.gameId}. Read it page by page: cardlake nightly --via pages`
  }
}

/** What the service says of a game's feed files cannot be had or understood. */
export class FeedsUnknown extends Schema.TaggedError<FeedsUnknown>()("FeedsUnknown", {
  ...game,
  /** A sentence with its next step. */
  why: Schema.String
}) {
  override get message() {
    return `The marketplace's answer about the feed files of ${this.gameId} cannot be used. ${this.why}; or read it page by page: cardlake nightly --via pages`
  }
}

/** The feed files do not show the newest deployment yet. Some minutes later they most likely do. */
export class FeedsLag extends Schema.TaggedError<FeedsLag>()("FeedsLag", {
  ...game,
  /** The newest deployment. */
  head: DeploymentId
}) {
  override get message() {
    return `The feed files of ${this.gameId} do not show its newest deployment yet. Run it again later: cardlake nightly`
  }
}

/** They show an earlier deployment than the lake has, which was read page by page. */
export class FeedsBehind extends Schema.TaggedError<FeedsBehind>()("FeedsBehind", {
  ...game,
  published: Schema.NullOr(DeploymentId)
}) {
  override get message() {
    return `The feed files of ${this.gameId} are older than the lake, which has deployment ${this.published}. Run it again later, or read it page by page: cardlake nightly --via pages`
  }
}

/** A feed file cannot be had as the service describes it. */
export class FeedFailed extends Schema.TaggedError<FeedFailed>()("FeedFailed", {
  ...game,
  file: Schema.String,
  what: Schema.String
}) {
  override get message() {
    return `The ${this.file} file of ${this.gameId} cannot be used: ${this.what}. Run it again later; if it persists, report it to the marketplace, and read page by page: cardlake nightly --via pages`
  }
}
