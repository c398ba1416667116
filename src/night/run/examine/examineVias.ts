import { Clock, Effect } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { formatAmount, grouped } from "../../../store/diff/formatAmount.ts"
import type { Via } from "../../../feed/contract/Via.ts"
import { ViaSetting } from "../NightSettings.ts"
import { durationText } from "../../observe/figureTexts.ts"
import {
  type FeedsOfGames,
  type GameFeeds,
  type GameSize,
  lags,
  requestsByFeeds,
  requestsByPages
} from "./nightRequests.ts"

/** A night's requests with one source. */
export interface ViaCost {
  readonly requests: number
  /** Min seconds at the known limits; null if none is known. */
  readonly seconds: number | null
}

/** The source that the next night uses for a game. */
export interface GameVia {
  readonly gameId: string
  readonly via: Via
  /** Its feed files; null if it has none. */
  readonly feeds: {
    readonly factsRefreshedAt: string
    readonly pricesRefreshedAt: string
    /** True if they show the newest deployment. */
    readonly isNewest: boolean
    /** True if the lake has exactly these files. */
    readonly isPublished: boolean
    readonly bytes: number
  } | null
  readonly needs: { readonly feeds: ViaCost | null; readonly pages: ViaCost }
}

/** The finding. `says` ends with the next step unless the game can be read. */
export interface ViaFound {
  readonly ok: boolean
  readonly says: string
  readonly via?: GameVia
}

const ageText = (at: string, now: number): string => durationText(Math.max(0, now - Date.parse(at)) / 1000)

const needsText = ({ requests, seconds }: ViaCost): string =>
  formatAmount(requests, "request") + (seconds === null || seconds === 0 ? "" : `, ${durationText(seconds)}`)

/** Describes a night's source, the reason, and the cost of both sources. */
const viaText = (
  { needs: { feeds, pages }, via }: GameVia,
  of: { readonly bytes: number; readonly isPublished: boolean; readonly why: string }
): string => {
  const downloads = of.isPublished ? "and no download" : `and up to ${grouped(Math.ceil(of.bytes / 1e6))} MB`
  const byFeeds = `${feeds === null ? "" : needsText(feeds)} ${downloads}`
  return via === "feeds"
    ? `by feed files, ${of.why}: ${byFeeds}; page by page ${needsText(pages)}`
    : `page by page, ${of.why}: ${needsText(pages)}; by feed files ${byFeeds}`
}

type Offered = NonNullable<GameFeeds["offered"]>

const findOlder = ({ catalog, expansions }: Offered): string =>
  Date.parse(catalog.lastRefreshedAt) <= Date.parse(expansions.lastRefreshedAt)
    ? catalog.lastRefreshedAt
    : expansions.lastRefreshedAt

/** Finds each game's source in a night and the reason, the age of its feed files, and the cost of both sources. */
export const examineVias = Effect.fnUntraced(function* (
  sizes: ReadonlyArray<readonly [gameId: string, size: GameSize]>,
  feeds: FeedsOfGames
) {
  const setting = (yield* ViaSetting).via
  const { secondsOfNight } = yield* Marketplace
  const now = yield* Clock.currentTimeMillis
  const estimateCost = (requests: number): ViaCost => ({ requests, seconds: secondsOfNight(requests) })
  return sizes.flatMap(([gameId, size]): ReadonlyArray<ViaFound> => {
    const found = feeds.get(gameId)
    if (found === undefined) return []
    const published = size.published?.via ?? null
    const wanted: Via = setting === "auto" ? (published ?? "feeds") : setting
    if (typeof found === "string") return [{ ok: wanted === "pages", says: `${gameId}: ${found}` }]
    const { head, offered } = found
    const pages = estimateCost(requestsByPages(size))
    if (offered === null) {
      const via: GameVia = { gameId, via: "pages", feeds: null, needs: { feeds: null, pages } }
      const says = `${gameId} has no feed files`
      if (setting === "feeds") {
        return [{ ok: false, says: `${says}, and no other way is allowed. Set --via or CARDLAKE_VIA to auto`, via }]
      }
      return [{ ok: true, says: `${says}: page by page, ${needsText(pages)}`, via }]
    }
    const feedsNeed = estimateCost(requestsByFeeds(size, { head, offered }))
    const isNewest = !lags(head, offered)
    const isPublished = feedsNeed.requests === 2
    const facts = findOlder(offered)
    const bytes = offered.catalog.sizeBytes + offered.expansions.sizeBytes + offered.prices.sizeBytes
    const via: GameVia = {
      gameId,
      via: wanted,
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
      setting !== "auto"
        ? "as it is set"
        : published === null
          ? "as the lake does not have it yet"
          : "as the published night was read"
    const shows = isNewest
      ? "of the newest deployment"
      : `behind deployment ${head?.id} of ${head?.deployedAt ?? "an unknown time"}, for which a night waits six minutes at most`
    const age = `facts made ${ageText(facts, now)} ago, ${shows}; prices made ${ageText(offered.prices.lastRefreshedAt, now)} ago`
    const says = `${gameId} will be read ${viaText(via, { bytes, isPublished, why })}. Feed files: ${age}`
    return [{ ok: true, says, via }]
  })
})
