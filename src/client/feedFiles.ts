import { Result, Schema } from "effect"
import { Count, Instant } from "../contract/Catalogue.ts"
import type { FeedType } from "../contract/FeedFile.ts"
import { matching } from "../contract/matching.ts"
import { NotOurJson } from "./OpenFault.ts"

/** What a night needs to know of a feed file. The service may say more, and may say it otherwise. */
const OfferedFeed = Schema.Struct({
  /** A signed link: whoever has it may read the file, so it is never stored or shown. */
  url: Schema.NonEmptyString,
  /** SHA-256 of the unpacked lines. */
  checksum: Schema.String.check(matching(/^(?:sha256:)?[0-9a-f]{64}$/i, "a SHA-256 in hex")),
  /** Of the packed file. */
  sizeBytes: Count,
  recordCount: Count,
  lastRefreshedAt: Instant,
  generatedAt: Instant
})
export type OfferedFeed = typeof OfferedFeed.Type

/** The feed files of a game; null: it has none, or not all three. */
export type OfferedFeeds = { readonly [Type in FeedType]: OfferedFeed } | null

const decode = Schema.decodeUnknownResult(
  Schema.Struct({ catalog: OfferedFeed, expansions: OfferedFeed, prices: OfferedFeed })
)
const isAboutFeeds = Schema.is(
  Schema.Struct({ catalog: Schema.Unknown, expansions: Schema.Unknown, prices: Schema.Unknown })
)

const withPlainSum = (feed: OfferedFeed): OfferedFeed => ({
  ...feed,
  checksum: feed.checksum.replace(/^sha256:/i, "").toLowerCase()
})

/** What is said of a game's feed files, or why it cannot be understood. */
export const readFeedFiles = (json: unknown): Result.Result<OfferedFeeds, NotOurJson> => {
  if (!isAboutFeeds(json)) return Result.fail(new NotOurJson("its JSON is not about feed files"))
  if (json.catalog === null || json.expansions === null || json.prices === null) return Result.succeed(null)
  const decoded = decode(json)
  if (Result.isFailure(decoded)) return Result.fail(new NotOurJson("it does not say what a feed file is"))
  const { catalog, expansions, prices } = decoded.success
  return Result.succeed({
    catalog: withPlainSum(catalog),
    expansions: withPlainSum(expansions),
    prices: withPlainSum(prices)
  })
}
