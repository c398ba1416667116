import { Clock, Effect, Stream } from "effect"
import { Marketplace } from "../client/Marketplace.ts"
import { pageCalls } from "../client/pageCalls.ts"
import type { OffsetPagination } from "../client/pageCalls.ts"
import type { Page } from "../client/RawBody.ts"
import { expansionPages } from "../client/expansionPages.ts"
import { productPages } from "../client/productPages.ts"
import { pageLimits } from "../contract/Paging.ts"
import type { PageKind, RawPage } from "./Extraction.ts"
import type { RawFilesFailed } from "./ExtractionError.ts"
import type { RawFiles } from "./RawFiles.ts"
import { acceptPage } from "./acceptPage.ts"
import type { AcceptedPage } from "./acceptPage.ts"
import { makeCensus } from "./census.ts"
import { entriesSince, isEntry } from "./entriesSince.ts"
import { continuedMarketplace } from "./continuedMarketplace.ts"
import { expectedEnd } from "./expectedEnd.ts"
import { recordsAnew } from "./listGames.ts"
import { pageMoved, probedPages } from "./pageMoved.ts"
import { recordRules } from "./recordRules.ts"
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
  readonly result: AcceptedPage
  readonly ids: ReadonlyArray<number>
  readonly pagination: P
}

const idOf = (record: unknown): number =>
  typeof record === "object" && record !== null && "id" in record && Number.isSafeInteger(record.id)
    ? Number(record.id)
    : Number.NaN

/**
 * Reads every list of a game once, each page through the contract and onto the disk; pages of `stored` are taken from there.
 * Stops at the first census fault. At the end some pages of products are asked for again, as {@link pageMoved} says.
 */
export const readRound = Effect.fnUntraced(function* (options: {
  readonly gameId: string
  readonly round: number
  /** Deployment that was live before the round. */
  readonly head: string | null
  readonly files: RawFiles
  readonly games: Page<null>
  /** The round that this one continues; its files lie where `files` writes. */
  readonly stored: StoredRound | null
  readonly previousDeploymentId: string | null
  readonly onProgress: (progress: ExtractProgress) => void
}) {
  const { files, gameId, previousDeploymentId, round, stored } = options
  const marketplace = yield* Marketplace
  const pages: Array<RawPage> = []
  const unknownKeys = new Map<string, { kind: PageKind; path: string; records: number }>()
  let resumedPages = 0
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

  const keep = <P>(kind: PageKind, page: Page<P>, number: number): Effect.Effect<KeptPage<P>, RawFilesFailed> =>
    Effect.suspend(() => {
      const ids = kind === "products" || kind === "expansions" ? page.data.map(idOf) : []
      const result = acceptPage(recordRules[kind], kind === "games" ? null : gameId, page)
      const { pagination } = page
      return Effect.map(files.keepPage(kind, number, page, result), (raw) => ({ raw, result, ids, pagination }))
    })

  const note = Effect.fnUntraced(function* (raw: RawPage, result: AcceptedPage) {
    pages.push(raw)
    for (const [path, records] of result.unknownKeys) {
      const known = unknownKeys.get(`${raw.kind} ${path}`)
      if (known === undefined) unknownKeys.set(`${raw.kind} ${path}`, { kind: raw.kind, path, records })
      else known.records += records
    }
    yield* files.keepRefusals(raw, result.refusals)
  })

  const readOffsetList = <E, R>(kind: PageKind, list: Stream.Stream<KeptPage<OffsetPagination>, E, R>) =>
    Effect.suspend(() => {
      const census = makeCensus(`the ${kind}`, pageLimits.offset.max)
      const startedMillis = clock.currentTimeMillisUnsafe()
      let records = 0
      let fault: string | null = null
      return list.pipe(
        Stream.runForEachWhile(({ ids, pagination, raw, result }) =>
          Effect.map(note(raw, result), () => {
            records += result.received
            fault = census.add({ pagination, received: result.received, ids })
            const pagesTotal = Math.max(1, Math.ceil(pagination.total / pageLimits.offset.max))
            const pagesDone = pagination.offset / pageLimits.offset.max + 1
            const progress = { operation: kind, game: gameId, pagesDone, total: pagination.total }
            const expectedEndAt = expectedEnd(marketplace, startedMillis, clock.currentTimeMillisUnsafe(), progress)
            tell({ kind, pagesDone, pagesTotal, records, expectedEndAt })
            return fault === null
          })
        ),
        Effect.provideService(Marketplace, continued),
        Effect.map(() => (fault === null ? census.close() : [fault]))
      )
    })
  const keepAt = (kind: PageKind) => (page: Page<OffsetPagination>) =>
    keep(kind, page, page.pagination.offset / pageLimits.offset.max)

  const games = yield* keep("games", { ...options.games, data: recordsAnew(options.games) }, 0)
  yield* note(games.raw, games.result)
  const expansionFaults = yield* readOffsetList("expansions", expansionPages(gameId, keepAt("expansions")))
  if (expansionFaults.length > 0) return ended(expansionFaults)
  const faults = yield* readOffsetList("products", productPages(gameId, keepAt("products")))
  if (faults.length > 0) return ended(faults)

  let records = 0
  let number = 0
  yield* (yield* entriesSince(gameId, previousDeploymentId)).pipe(
    Stream.takeUntil((page) => previousDeploymentId !== null && page.data.some(isEntry(previousDeploymentId))),
    Stream.runForEach((page) =>
      Effect.gen(function* () {
        const { raw, result } = yield* keep("changelog", page, number++)
        yield* note(raw, result)
        records += result.received
        tell({ kind: "changelog", pagesDone: number, pagesTotal: null, records, expectedEndAt: null })
      })
    ),
    Effect.provideService(Marketplace, continued)
  )
  const kept = { folder: files.folder, pages: new Map(pages.map((page) => [page.request, page])) }
  for (const number of probedPages(pages.filter((page) => page.kind === "products").length)) {
    const offset = number * pageLimits.offset.max
    const before = yield* storedPage(kept, pageCalls.products(gameId, offset))
    const after = yield* marketplace.products(gameId, offset)
    if (before === null || pageMoved(before, after)) return ended([], true)
  }
  return ended([])
})
