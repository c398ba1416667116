import { Clock, Effect, Result } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { formatAmount, grouped } from "../../../store/diff/formatAmount.ts"
import type { Via, UsedFeeds } from "../../../feed/contract/Via.ts"
import { ViaSetting } from "../NightSettings.ts"
import { durationText } from "../../observe/figureTexts.ts"
import { pageLimits } from "../../../feed/contract/Paging.ts"
import type { DeploymentId } from "../../../feed/contract/Ids.ts"
import { isStanding, isYounger, type DatedDeployment } from "../../../feed/reading/feeds/shownDeployment.ts"
import { probedPages } from "../../../feed/reading/knownPages.ts"
import type { OfferedFeeds } from "../../../feed/client/otherCalls.ts"
import { changelogHead } from "../../../feed/reading/changelogEntries.ts"

/** A game's feed files on the marketplace, and its newest deployment. */
export interface GameFeeds {
  readonly head: DatedDeployment | null
  /** Null if it has none. */
  readonly offered: OfferedFeeds
}

/** Feed files by game; a text is the reason why they are unknown. Empty if no night would read them. */
export type FeedsOfGames = ReadonlyMap<string, GameFeeds | string>

/** Requests the feed files of games, with two requests for each. */
export const feedsOfGames = Effect.fnUntraced(function* (gameIds: ReadonlyArray<string>) {
  if ((yield* ViaSetting).via === "pages") return new Map<string, GameFeeds | string>()
  const marketplace = yield* Marketplace
  const found = yield* Effect.forEach(
    gameIds,
    Effect.fnUntraced(function* (gameId) {
      const offered = yield* Effect.result(
        Effect.catchTag(marketplace.feedFiles(gameId), "NotFound", () => Effect.succeed(null))
      )
      if (Result.isFailure(offered)) return [gameId, offered.failure.message] as const
      // Without files the night reads pages, so an unreadable changelog is not reported here.
      const head = offered.success === null ? Result.succeed(null) : yield* Effect.result(changelogHead(gameId))
      if (Result.isFailure(head)) return [gameId, head.failure.message] as const
      return [gameId, { head: head.success, offered: offered.success }] as const
    }),
    { concurrency: 4 }
  )
  return new Map<string, GameFeeds | string>(found)
})

export interface PublishedReading {
  readonly via: Via
  readonly deploymentId: DeploymentId | null
  readonly feeds: UsedFeeds | null
}

export interface GameSize {
  readonly products: number
  /** Null if unknown; one page is assumed. */
  readonly expansions: number | null
  /** Null if the lake does not have the game. */
  readonly published: PublishedReading | null
}

const countPages = (records: number): number => Math.max(1, Math.ceil(records / pageLimits.offset.max))

/** Checks of the changelog head, before and after the reading; for feed files also of their description. */
const looks = 2

/** Returns the changelog's requests. For a game of the lake: the count of new deployments, then these. */
const changelog = (isPublished: boolean): number => (isPublished ? 2 : 1)

/** Returns the requests of a reading by pages, unless a deployment interrupts it. */
export const requestsByPages = ({ expansions, products, published }: GameSize): number => {
  const pages = countPages(products)
  return looks + countPages(expansions ?? 0) + pages + changelog(published !== null) + probedPages(pages).length
}

/** Max requests for lagging files: three more checks, and the earlier changelog. */
const waiting = 3 * 2 + 1

/** Returns the requests of a reading by feed files; the max if they lag. Downloads have no limit and do not count. */
export const requestsByFeeds = (
  { published }: Pick<GameSize, "published">,
  { head, offered }: GameFeeds & { readonly offered: NonNullable<GameFeeds["offered"]> }
): number => {
  if (published !== null && isStanding(published, { head, offered })) return 2
  const news = head === null || head.id === published?.deploymentId ? 0 : changelog(published !== null)
  return 2 * looks + news + (lags(head, offered) ? waiting : 0)
}

/** True if the files do not show the newest deployment yet. */
export const lags = (head: GameFeeds["head"], offered: NonNullable<GameFeeds["offered"]>): boolean =>
  head !== null && isYounger(head, offered)

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

const tookText = ({ seconds }: Pick<ViaCost, "seconds">): string =>
  seconds === null ? "" : seconds === 0 ? ": within the limit" : `: ${durationText(seconds)}`

/** Reports the limits that the answers stated, and how long a night over these games takes. */
export const examineLimits = Effect.fnUntraced(function* (
  sizes: ReadonlyArray<readonly [gameId: string, size: GameSize]>,
  vias: ReadonlyArray<GameVia>
) {
  const marketplace = yield* Marketplace
  const limit = marketplace.rateLimit()?.limit ?? null
  const viaByGame = new Map(vias.map((via) => [via.gameId, via]))
  /** Adds the requests of all games, and one for the list of games. */
  const needs = (requestsOf: (size: GameSize, via: GameVia | undefined) => number): ViaCost => {
    const requests = sizes.reduce((sum, [gameId, size]) => sum + requestsOf(size, viaByGame.get(gameId)), 1)
    return { requests, seconds: limit === null ? null : marketplace.secondsOfNight(requests) }
  }
  const pages = needs(requestsByPages)
  const feeds = needs((size, via) => via?.needs.feeds?.requests ?? requestsByPages(size))
  const coming = needs((size, via) => (via?.via === "feeds" ? (via.needs.feeds?.requests ?? 0) : requestsByPages(size)))
  const night = {
    games: sizes.length,
    ...coming,
    /** Requests a minute as stated in the answers; null if they state no limit. */
    limit,
    // The cost if all games used one way of reading, as far as they can.
    ...(vias.length === 0 ? {} : { byVia: { feeds, pages } })
  }
  const other = coming.requests === pages.requests ? feeds : pages
  const otherText =
    other.requests === coming.requests
      ? ""
      : `. ${other === pages ? "Page by page" : "By feed files"} it would be ${grouped(other.requests)}${tookText(other)}`
  const estimate = `a night over ${formatAmount(sizes.length, "game")} needs about ${formatAmount(coming.requests, "request")}`
  const allowed =
    limit === null
      ? "The marketplace states no rate limit"
      : `The marketplace allows ${grouped(limit)} requests a minute`
  return { says: `${allowed}; ${estimate}${tookText(coming)}${otherText}`, night }
})

export type NightNeeds = Effect.Success<ReturnType<typeof examineLimits>>["night"]
