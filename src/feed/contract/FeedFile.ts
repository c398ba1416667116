import { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Count, GameId, Instant } from "./Catalogue.ts"
import { common, NotFound, problem } from "./Errors.ts"

/** The three feed files of a game. Beyond the spec: section 8. */
export const FeedType = Schema.Literals(["catalog", "expansions", "prices"])
export type FeedType = typeof FeedType.Type

/** A feed file and its signed link, which is requested without the key. Beyond the spec: section 8. */
export const FeedFile = Schema.Struct({
  feedType: FeedType,
  url: Schema.String.annotate({ format: "uri" }),
  urlExpiresAt: Instant,
  /** SHA-256 of the unpacked bytes, 64 hex digits. */
  checksum: Schema.String,
  /** The size of the gzip file. */
  sizeBytes: Count,
  recordCount: Count,
  format: Schema.Literal("ndjson"),
  encoding: Schema.Literal("gzip"),
  /** When it was last rebuilt, even if nothing changed. */
  lastRefreshedAt: Instant,
  /** When this content first appeared. */
  generatedAt: Instant
}).annotate({
  title: "FeedFile",
  description:
    "A feed file. `url` is asked for without the key until `urlExpiresAt`; `checksum` is the SHA-256 of the unpacked bytes, `sizeBytes` the size of the gzip file."
})
export type FeedFile = typeof FeedFile.Type

/** All three; null = never built. Beyond the spec: section 8. */
export const FeedFiles = Schema.Struct({
  catalog: Schema.NullOr(FeedFile),
  expansions: Schema.NullOr(FeedFile),
  prices: Schema.NullOr(FeedFile)
}).annotate({ title: "FeedFiles", description: "The feed files of a game; null: never built." })

/** A feed that was never built; it comes under a 500. Beyond the spec: section 2, not-found answers. */
export class FeedNotGenerated extends problem<FeedNotGenerated>(
  "FeedNotGenerated",
  "This feed file of the game was never built."
)(500, "FEED_NOT_GENERATED", { gameId: Schema.String }) {}

/** The list of a game's feed files, requested before a night reads them. Any valid key. Beyond the spec: section 8. */
export const feedFilesOperation = HttpApiEndpoint.get("feedFiles", "/v1/feeds/:gameId", {
  params: { gameId: GameId },
  success: FeedFiles,
  error: [...common, NotFound]
}).annotate(OpenApi.Summary, "The feed files of a game")
