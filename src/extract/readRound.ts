import { Clock, Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { wholePage } from "../client/openPage.ts"
import { offsetCall } from "../client/pageCalls.ts"
import type { CursorPagination, OffsetPagination } from "../client/pageReads.ts"
import { withPageRoom } from "../client/PageRoom.ts"
import type { Page } from "../client/RawBody.ts"
import { type OffsetList, offsetListNames } from "../client/offsetLists.ts"
import { offsetPages, type PagePlace } from "../client/offsetPages.ts"
import type { PageKind, RawPage } from "./Extraction.ts"
import type { RawFilesFailed } from "./ExtractionError.ts"
import type { RawFiles } from "./RawFiles.ts"
import type { AcceptedPage } from "./acceptPage.ts"
import { makeCensus, type Census } from "./census.ts"
import { entriesSince } from "./entriesSince.ts"
import { continuedMarketplace } from "./continuedMarketplace.ts"
import { expectedEnd } from "./expectedEnd.ts"
import { pageMoved, probedPages } from "./pageMoved.ts"
import { openWith, takeGames, type TakenBody } from "./openWith.ts"
import type { PageTaker } from "./PageTaker.ts"
import { refusalLines } from "./refusalLines.ts"
import { storedPage } from "./StoredRound.ts"
import type { StoredRound } from "./StoredRound.ts"

/** How far the reading of one list is; for progress bars. */
export interface ExtractProgress {
  readonly gameId: string
  readonly round: number
  readonly kind: PageKind
  readonly pagesDone: number
  /** Null where the list does not tell its length. */
  readonly pagesTotal: number | null
  /** Records received so far, refused ones included. */
  readonly records: number
  /** Pages of all lists that lay on disk already. */
  readonly resumedPages: number
  /** When the list will have been read; null while that cannot be told, and when it is near. */
  readonly expectedEndAt: string | null
}

/** Everything of a game read once. */
export interface Round {
  readonly pages: ReadonlyArray<RawPage>
  readonly unknownKeys: ReadonlyMap<
    string,
    { readonly kind: PageKind; readonly path: string; readonly records: number }
  >
  /** Why it cannot be kept; empty when the census adds up. */
  readonly faults: ReadonlyArray<string>
  /** Whether a page of products was another one at the end. */
  readonly moved: boolean
  readonly resumedPages: number
}

/** What is left of a page once it is on the disk. */
interface KeptPage<P> {
  readonly raw: RawPage
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: AcceptedPage["unknownKeys"]
  readonly ids: ReadonlyArray<unknown>
  readonly pagination: P
}

/** A kept page of an offset list. */
interface KeptAt extends KeptPage<OffsetPagination> {
  readonly place: PagePlace
}

/** Unknown keys that a reading tells by name; what is beyond is counted as one. */
const mostUnknownPaths = 10_000
const otherPaths = "*"

const usableId = (id: unknown): number => (Number.isSafeInteger(id) ? Number(id) : Number.NaN)

/**
 * Reads every list of a game once, each page through the contract and onto the disk, or from `stored`. Stops at
 * the first census fault; at the end some pages of products are asked for again, see {@link pageMoved}.
 */
export const readRound = Effect.fnUntraced(function* (options: {
  readonly gameId: string
  readonly round: number
  /** Deployment that was live before the round. */
  readonly head: string | null
  readonly files: RawFiles
  readonly taker: PageTaker
  readonly games: Page<null>
  /** The round that this one continues; its files lie where `files` writes. */
  readonly stored: StoredRound | null
  readonly previousDeploymentId: DeploymentId | null
  readonly onProgress: (progress: ExtractProgress) => void
}) {
  const { files, gameId, previousDeploymentId, round, stored } = options
  const marketplace = yield* Marketplace
  const pages: Array<RawPage> = []
  const unknownKeys = new Map<string, { kind: PageKind; path: string; records: number }>()
  let resumedPages = 0
  /** Of the products. */
  let pageSize = 0
  const ended = (faults: ReadonlyArray<string>, moved = false): Round => ({
    pages,
    unknownKeys,
    faults,
    moved,
    resumedPages
  })
  const tell = (progress: Omit<ExtractProgress, "gameId" | "round" | "resumedPages">) =>
    options.onProgress({ gameId, round, resumedPages, ...progress })
  const clock = yield* Clock.Clock
  const continued =
    stored === null ? marketplace : continuedMarketplace(marketplace, stored, () => void (resumedPages += 1))
  yield* files.startRound(round, options.head, stored?.startedAt ?? null)

  const taker = yield* options.taker.round(gameId, options.head)

  const keep = <P>(kind: PageKind, body: TakenBody<P>, number: number): Effect.Effect<KeptPage<P>, RawFilesFailed> =>
    Effect.map(files.keepPage(kind, number, body), (raw) => {
      const { ids, refusals, unknownKeys } = body.taken
      return { raw, refusals: refusalLines(raw.file, refusals), unknownKeys, ids, pagination: body.pagination }
    })

  const note = Effect.fnUntraced(function* ({ raw, refusals, ...page }: KeptPage<unknown>) {
    pages.push(raw)
    for (const [key, records] of page.unknownKeys) {
      const path = unknownKeys.size < mostUnknownPaths || unknownKeys.has(`${raw.kind} ${key}`) ? key : otherPaths
      const known = unknownKeys.get(`${raw.kind} ${path}`)
      if (known === undefined) unknownKeys.set(`${raw.kind} ${path}`, { kind: raw.kind, path, records })
      else known.records += records
    }
    yield* files.keepRefusals(refusals)
  })

  const readOffsetList = <E, R>(kind: PageKind, list: Stream.Stream<KeptAt, E, R>) =>
    Effect.suspend(() => {
      let census: Census | null = null
      const startedMillis = clock.currentTimeMillisUnsafe()
      let records = 0
      let fault: string | null = null
      return list.pipe(
        Stream.runForEachWhile((page) =>
          Effect.map(note(page), () => {
            const { ids, pagination, place, raw } = page
            if (kind === "products") pageSize = place.size
            census ??= makeCensus(`the ${kind}`, place.size)
            records += raw.records
            fault = census.add({ pagination, received: raw.records, ids: ids.map(usableId) })
            const pagesTotal = Math.max(1, Math.ceil(pagination.total / place.size))
            const pagesDone = place.number + 1
            const progress = { operation: kind, game: gameId, pagesDone, pagesTotal }
            const expectedEndAt = expectedEnd(marketplace, startedMillis, clock.currentTimeMillisUnsafe(), progress)
            tell({ kind, pagesDone, pagesTotal, records, expectedEndAt })
            return fault === null
          })
        ),
        Effect.provideService(Marketplace, continued),
        Effect.map(() => (fault === null ? (census?.close() ?? []) : [fault]))
      )
    })
  const keepAt = (kind: PageKind) => (page: TakenBody<OffsetPagination>, place: PagePlace) =>
    Effect.map(keep(kind, page, place.number), (kept): KeptAt => ({ ...kept, place }))
  const readList = (list: OffsetList) =>
    readOffsetList(list, offsetPages({ gameId, list }, openWith(taker, list)<OffsetPagination>, keepAt(list)))

  yield* note(yield* keep("games", yield* takeGames(taker, gameId, options.games), 0))
  for (const list of offsetListNames) {
    const faults = yield* readList(list)
    if (faults.length > 0) return ended(faults)
  }

  let records = 0
  let number = 0
  const openEntries = openWith(taker, "changelog", () => number)<CursorPagination>
  const keepEntries = Effect.fnUntraced(function* (page: TakenBody<CursorPagination>) {
    const isLast = previousDeploymentId !== null && page.taken.ids.includes(previousDeploymentId)
    const kept = yield* keep("changelog", page, number++)
    yield* note(kept)
    records += kept.raw.records
    tell({ kind: "changelog", pagesDone: number, pagesTotal: null, records, expectedEndAt: null })
    return isLast
  })
  yield* (yield* entriesSince(gameId, previousDeploymentId, openEntries, keepEntries)).pipe(
    Stream.takeUntil((isLast) => isLast),
    Stream.runDrain,
    Effect.provideService(Marketplace, continued)
  )
  const kept = { folder: files.folder, pages: new Map(pages.map((page) => [page.request, page])) }
  for (const number of probedPages(pages.filter((page) => page.kind === "products").length)) {
    const offset = number * pageSize
    // Asked before it is read: whoever has the room for a large page must not ask for one.
    const moved = Effect.gen(function* () {
      const call = offsetCall("products", gameId, offset)
      const after = yield* marketplace.opened(call, wholePage<OffsetPagination>)
      const before = yield* storedPage(kept, call, wholePage<OffsetPagination>)
      return before === null || pageMoved(before, after)
    })
    if (yield* withPageRoom(moved)) return ended([], true)
  }
  yield* taker.end
  return ended([])
})
