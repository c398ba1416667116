import type { Caller } from "../Caller.ts"
import type { RequestOptions } from "../ClientOptions.ts"
import type { ChangelogQuery } from "../wire.ts"

/** Changelog and files of a game's feed. Any key can read them. */
export const feeds = ({ call, list }: Caller) => ({
  /** Deployments of a game's feed, newest first. */
  changelog: (gameId: string, query?: ChangelogQuery, options?: RequestOptions) =>
    list("feeds.changelog", { path: { gameId }, query }, options),
  /** All three files of a game; null if never built. `download` fetches one by its `url`. */
  get: (gameId: string, options?: RequestOptions) => call("feedFiles.feedFiles", { path: { gameId } }, options),
  /** The file of its products. */
  catalog: (gameId: string, options?: RequestOptions) => call("feedFiles.catalogFeed", { path: { gameId } }, options),
  /** The file of its expansions. */
  expansions: (gameId: string, options?: RequestOptions) =>
    call("feedFiles.expansionsFeed", { path: { gameId } }, options),
  /** The file of its prices. */
  prices: (gameId: string, options?: RequestOptions) => call("feedFiles.pricesFeed", { path: { gameId } }, options)
})
