import { Clock, Effect } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { amountOf, grouped } from "../../../store/diff/amountOf.ts"
import type { Road } from "../../../feed/contract/Road.ts"
import { AskedRoad } from "../NightSettings.ts"
import { durationText } from "../../observe/figureTexts.ts"
import {
  type FeedsOfGames,
  type GameFeeds,
  type GameSize,
  lags,
  requestsByFeeds,
  requestsByPages
} from "./nightRequests.ts"

/** What a night asks of the marketplace by one road. */
export interface RoadNeeds {
  readonly requests: number
  /** At the limits that are known; null = none is. */
  readonly seconds: number | null
}

/** How the coming night reads a game. */
export interface RoadOfGame {
  readonly gameId: string
  readonly road: Road
  /** Of its feed files; null = it has none. */
  readonly feeds: {
    readonly factsRefreshedAt: string
    readonly pricesRefreshedAt: string
    /** Whether they show the newest deployment. */
    readonly isNewest: boolean
    /** Whether the lake has just these. */
    readonly isPublished: boolean
    readonly bytes: number
  } | null
  readonly needs: { readonly feeds: RoadNeeds | null; readonly pages: RoadNeeds }
}

/** `says` ends with the next step unless the game can be read. */
export interface RoadFound {
  readonly ok: boolean
  readonly says: string
  readonly road?: RoadOfGame
}

const ageText = (at: string, now: number): string => durationText(Math.max(0, now - Date.parse(at)) / 1000)

const needsText = ({ requests, seconds }: RoadNeeds): string =>
  amountOf(requests, "request") + (seconds === null || seconds === 0 ? "" : `, ${durationText(seconds)}`)

/** The road of a night, why it is taken, and what either road costs. */
const roadText = (
  { needs: { feeds, pages }, road }: RoadOfGame,
  of: { readonly bytes: number; readonly isPublished: boolean; readonly why: string }
): string => {
  const downloads = of.isPublished ? "and no download" : `and up to ${grouped(Math.ceil(of.bytes / 1e6))} MB`
  const byFeeds = `${feeds === null ? "" : needsText(feeds)} ${downloads}`
  return road === "feeds"
    ? `by feed files, ${of.why}: ${byFeeds}; page by page ${needsText(pages)}`
    : `page by page, ${of.why}: ${needsText(pages)}; by feed files ${byFeeds}`
}

type Offered = NonNullable<GameFeeds["offered"]>

const olderOf = ({ catalog, expansions }: Offered): string =>
  Date.parse(catalog.lastRefreshedAt) <= Date.parse(expansions.lastRefreshedAt)
    ? catalog.lastRefreshedAt
    : expansions.lastRefreshedAt

/** Which road a night takes for each game and why, how old its feed files are, and what either road costs. */
export const examineRoads = Effect.fnUntraced(function* (
  sizes: ReadonlyArray<readonly [gameId: string, size: GameSize]>,
  feeds: FeedsOfGames
) {
  const asked = (yield* AskedRoad).road
  const { secondsOfNight } = yield* Marketplace
  const now = yield* Clock.currentTimeMillis
  const needsOf = (requests: number): RoadNeeds => ({ requests, seconds: secondsOfNight(requests) })
  return sizes.flatMap(([gameId, size]): ReadonlyArray<RoadFound> => {
    const found = feeds.get(gameId)
    if (found === undefined) return []
    const published = size.published?.road ?? null
    const wanted: Road = asked === "auto" ? (published ?? "feeds") : asked
    if (typeof found === "string") return [{ ok: wanted === "pages", says: `${gameId}: ${found}` }]
    const { head, offered } = found
    const pages = needsOf(requestsByPages(size))
    if (offered === null) {
      const road: RoadOfGame = { gameId, road: "pages", feeds: null, needs: { feeds: null, pages } }
      const says = `${gameId} has no feed files`
      if (asked === "feeds") {
        return [{ ok: false, says: `${says}, and no other road is allowed. Set --road or CARDLAKE_ROAD to auto`, road }]
      }
      return [{ ok: true, says: `${says}: page by page, ${needsText(pages)}`, road }]
    }
    const feedsNeed = needsOf(requestsByFeeds(size, { head, offered }))
    const isNewest = !lags(head, offered)
    const isPublished = feedsNeed.requests === 2
    const facts = olderOf(offered)
    const bytes = offered.catalog.sizeBytes + offered.expansions.sizeBytes + offered.prices.sizeBytes
    const road: RoadOfGame = {
      gameId,
      road: wanted,
      feeds: {
        factsRefreshedAt: facts,
        pricesRefreshedAt: offered.prices.lastRefreshedAt,
        isNewest,
        isPublished,
        bytes
      },
      needs: { feeds: feedsNeed, pages }
    }
    const why =
      asked !== "auto"
        ? "as it is set"
        : published === null
          ? "as the lake does not have it yet"
          : "as the published night was read"
    const shows = isNewest
      ? "of the newest deployment"
      : `behind deployment ${head?.id} of ${head?.deployedAt ?? "an unknown time"}, for which a night waits six minutes at most`
    const age = `facts made ${ageText(facts, now)} ago, ${shows}; prices made ${ageText(offered.prices.lastRefreshedAt, now)} ago`
    const says = `${gameId} will be read ${roadText(road, { bytes, isPublished, why })}. Feed files: ${age}`
    return [{ ok: true, says, road }]
  })
})
