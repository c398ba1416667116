import { Result, Schema } from "effect"
import { Count, readInstant, matching } from "../contract/Catalogue.ts"
import type { FeedType } from "../contract/FeedFile.ts"
import { maxRecords } from "../contract/Paging.ts"
import { type NotOurJson, readJson } from "./OpenFault.ts"

/** The maximum size of a feed file, packed or unpacked: ten times the largest game. */
export const maxFeedBytes = 4 * 1024 ** 3

/** The required properties of a feed file. The service may add others or change their format. */
const OfferedFeed = Schema.Struct({
  /** A signed link. It grants access to the file, so it is never stored or shown. */
  url: Schema.NonEmptyString,
  /** SHA-256 of the unpacked lines. */
  checksum: Schema.String.check(matching(/^(?:sha256:)?[0-9a-f]{64}$/i, "a SHA-256 in hex")),
  /** The size of the packed file. */
  sizeBytes: Count.check(Schema.isLessThanOrEqualTo(maxFeedBytes)),
  recordCount: Count.check(Schema.isLessThanOrEqualTo(maxRecords)),
  lastRefreshedAt: Schema.String,
  generatedAt: Schema.String
})
export type OfferedFeed = typeof OfferedFeed.Type

/** The feed files of a game; null if it does not have all three. */
export type OfferedFeeds = { readonly [Type in FeedType]: OfferedFeed } | null

const decode = readJson(
  Schema.Struct({ catalog: OfferedFeed, expansions: OfferedFeed, prices: OfferedFeed }),
  "about feed files"
)
const isAboutFeeds = Schema.is(
  Schema.Struct({ catalog: Schema.Unknown, expansions: Schema.Unknown, prices: Schema.Unknown })
)

const withPlainSum = (feed: OfferedFeed): OfferedFeed => ({
  ...feed,
  // A time that cannot be stored counts as newer than every deployment.
  lastRefreshedAt: readInstant(feed.lastRefreshedAt) ?? "9999-12-31T23:59:59.999Z",
  checksum: feed.checksum.replace(/^sha256:/i, "").toLowerCase()
})

/** Parses the description of a game's feed files. */
export const readFeedFiles = (json: unknown): Result.Result<OfferedFeeds, NotOurJson> => {
  if (isAboutFeeds(json) && [json.catalog, json.expansions, json.prices].includes(null)) return Result.succeed(null)
  return Result.map(decode(json), ({ catalog, expansions, prices }) => ({
    catalog: withPlainSum(catalog),
    expansions: withPlainSum(expansions),
    prices: withPlainSum(prices)
  }))
}
