import { Effect } from "effect"
import { Marketplace } from "../../../feed/client/Marketplace.ts"
import { formatAmount, grouped } from "../../../store/diff/formatAmount.ts"
import { durationText } from "../../observe/figureTexts.ts"
import type { ViaCost, GameVia } from "./examineVias.ts"
import { type GameSize, requestsByPages } from "./nightRequests.ts"

export interface NightNeeds {
  readonly games: number
  readonly requests: number
  /** Requests a minute as stated in the answers; null if they state no limit. */
  readonly limit: number | null
  /** Min seconds for its requests at that limit; null if no limit is known. */
  readonly seconds: number | null
  /** The cost if all games used one source, as far as possible; absent if feed files were not checked. */
  readonly byVia?: { readonly feeds: ViaCost; readonly pages: ViaCost }
}

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
  const night: NightNeeds = {
    games: sizes.length,
    ...coming,
    limit,
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
