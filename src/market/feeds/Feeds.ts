import type { Incoming } from "../answers/wire.ts"
import { Context, Effect, Schema } from "effect"
import { Count, GameId } from "../../feed/contract/Catalogue.ts"
import { type FeedType, FeedNotGenerated } from "../../feed/contract/FeedFile.ts"
import type { KnownDialect } from "../../feed/contract/dialect/dialects.ts"
import { keepRecent } from "../answers/caches.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { feedLines } from "./feedLines.ts"
import type { SignedLinks } from "../files/Files.ts"
import type { LiveOffers } from "../offers/LiveOffers.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { Words, wordings } from "../wording/Wording.ts"
import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { createGzip } from "node:zlib"

/** A finished feed file. */
interface PackedLines {
  /** Gzip of NDJSON. */
  readonly bytes: Uint8Array
  /** SHA-256 of the unpacked bytes. */
  readonly checksum: string
  readonly recordCount: number
}

const pieceLength = 256 * 1024

/** Compresses lines in chunks. Only the compressed file is in memory, and other requests can run in between. */
const packLines = async (lines: Iterable<string>): Promise<PackedLines> => {
  const sum = createHash("sha256")
  let recordCount = 0
  const take = (text: string) => {
    const piece = Buffer.from(text)
    sum.update(piece)
    return piece
  }
  function* pieces() {
    let text = ""
    for (const line of lines) {
      text += `${line}\n`
      recordCount++
      if (text.length < pieceLength) continue
      yield take(text)
      text = ""
    }
    yield take(text)
  }
  const chunks: Array<Uint8Array> = []
  for await (const chunk of Readable.from(pieces()).pipe(createGzip())) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), checksum: sum.digest("hex"), recordCount }
}

/** Settings of the feed files. Control routes change them. */
export const FeedSettings = Schema.Struct({
  /** Time by which the files lag a deployment. */
  lagSeconds: Count,
  /** Lifetime of a link. */
  linkSeconds: Count,
  /** Games without feed files. */
  missing: Schema.Array(GameId),
  /** Number of lines of each price file whose products are in no catalogue. */
  orphans: Count
}).annotate({ title: "FeedSettings" })

/** The current version of a feed file, and since when it is current. */
interface BuiltFeed {
  readonly packed: PackedLines
  /** The number of listing moves and price rebuilds included; 0 for a file without live blocks. */
  readonly version: number
  readonly lastRefreshedAt: string
  readonly generatedAt: string
}

/** The feed files of all games, built on demand. */
export class Feeds extends Context.Service<
  Feeds,
  {
    settings: typeof FeedSettings.Type
    readonly links: SignedLinks
    /** Builds the current version, or returns an earlier one if it is still cached. Fails with FEED_NOT_GENERATED. */
    readonly build: (
      game: LiveGame,
      type: FeedType,
      version?: number
    ) => Effect.Effect<BuiltFeed, FeedNotGenerated, Incoming>
  }
>()("cardlake/sandbox/Feeds") {}

/** Cache key of a file: game, deployment, type, version, dialect, orphans. */
type Place = [string, number, FeedType, number, KnownDialect, number]

interface FeedRequest {
  readonly game: LiveGame
  readonly type: FeedType
  readonly version: number | undefined
}

export const makeFeeds = (
  games: ReadonlyMap<string, LiveGame>,
  now: () => number,
  links: SignedLinks,
  { lastMoveAt, moves }: LiveOffers["Service"],
  lagSeconds = 0
): Feeds["Service"] => {
  const pack = keepRecent(12, async (place: string) => {
    const [gameId, deployment, type, , words, orphans] = JSON.parse(place) as Place
    const opened = await games.get(gameId)?.open(deployment)
    const { feeds: rule, hasFeedSlugs } = wordings[words]
    return packLines(opened === undefined ? [] : feedLines(opened, type, { hasFeedSlugs, orphans, rule }))
  })
  const checksum = keepRecent(1000, async (place: string) => (await pack(place)).checksum)

  const build = async (words: KnownDialect, { game, type, ...request }: FeedRequest): Promise<BuiltFeed> => {
    const { live, stored, wentLiveAt } = game
    const version = type === "prices" ? (request.version ?? moves() + game.rebuilt.count()) : 0
    const formatPlace = (deployment: number) =>
      JSON.stringify([stored.game.id, deployment, type, version, words, feeds.settings.orphans] satisfies Place)
    const deployedAt = (deployment: number) => stored.deployments[deployment]?.deployedAt ?? ""
    const lagMillis = feeds.settings.lagSeconds * 1000
    let shown = live()
    while (shown > 0 && wentLiveAt(shown) + lagMillis > now()) shown--
    const packed = await pack(formatPlace(shown))
    if (version > 0) {
      const movedAt = textOfMillis(Math.max(lastMoveAt(), wentLiveAt(shown), game.rebuilt.lastAt()))
      return { packed, version, lastRefreshedAt: movedAt, generatedAt: movedAt }
    }
    let since = shown
    // One after the other: each may have to be built.
    // oxlint-disable-next-line no-await-in-loop
    while (since > 0 && (await checksum(formatPlace(since - 1))) === packed.checksum) since--
    return { packed, version, lastRefreshedAt: deployedAt(shown), generatedAt: deployedAt(since) }
  }
  const feeds: Feeds["Service"] = {
    settings: { lagSeconds, linkSeconds: 3600, missing: [], orphans: 0 },
    links,
    build: (game, type, version) => {
      const gameId = game.stored.game.id
      return feeds.settings.missing.includes(gameId)
        ? Effect.fail(new FeedNotGenerated({ message: `The feeds of ${gameId} were never built`, data: { gameId } }))
        : Effect.flatMap(Words.ask, ({ name }) => Effect.promise(() => build(name, { game, type, version })))
    }
  }
  return feeds
}
