import { Schema } from "effect"
import { DeploymentId, RunId } from "./Ids.ts"
import { PathBelow } from "../guard/joinBelow.ts"

/** The way that a night read a game: by pages or by feed files. */
export const Via = Schema.Literals(["pages", "feeds"])
export type Via = typeof Via.Type

/** A feed file as a night used it; its link is nowhere. */
export const UsedFeed = Schema.Struct({
  /** SHA-256 of its unpacked lines. */
  checksum: Schema.String,
  records: Schema.Int,
  /** The checksum of the file as received. */
  sha256: Schema.String,
  lastRefreshedAt: Schema.String,
  /** The reading whose raw files have it, and its name there. */
  run: RunId,
  file: PathBelow
})
export type UsedFeed = typeof UsedFeed.Type

/** The feed files of a night, and the newest deployment that the changelog had: the files may have shown an earlier one. */
export const UsedFeeds = Schema.Struct({
  head: Schema.NullOr(DeploymentId),
  catalog: UsedFeed,
  expansions: UsedFeed,
  prices: UsedFeed
})
export type UsedFeeds = typeof UsedFeeds.Type

/** Readings whose raw files a snapshot needs. */
export const listRawRuns = ({
  feeds,
  runId
}: {
  readonly runId: RunId
  readonly feeds?: UsedFeeds
}): ReadonlyArray<RunId> =>
  feeds === undefined ? [runId] : [runId, feeds.catalog.run, feeds.expansions.run, feeds.prices.run]
