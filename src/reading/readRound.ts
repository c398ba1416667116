import { Clock, Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { wholePage } from "../client/openPage.ts"
import { offsetCall } from "../client/pageCalls.ts"
import type { CursorPagination, OffsetPagination } from "../client/pageReads.ts"
import { withLargePageLock } from "../client/LargePageLock.ts"
import type { Page } from "../client/RawBody.ts"
import { type OffsetList, offsetListNames } from "../client/offsetLists.ts"
import { offsetPages, type PagePosition } from "../client/offsetPages.ts"
import type { RawPage } from "./Extraction.ts"
import { type Dialect, type DialectName, dialects } from "../contract/dialects.ts"
import type { PageKind } from "../contract/records.ts"
import type { RawFilesFailed } from "./ExtractionError.ts"
import type { RawFiles } from "./RawFiles.ts"
import type { AcceptedPage } from "../rows/acceptPage.ts"
import { makeCensus, type Census } from "./census.ts"
import { entriesSince } from "./entriesSince.ts"
import { continuedMarketplace } from "./continuedMarketplace.ts"
import { expectedEnd } from "./expectedEnd.ts"
import { pageMoved, probedPages } from "./pageMoved.ts"
import { openWith, parseGames, type ParsedBody } from "./openWith.ts"
import { type Batches, countRound, shredRound } from "../rows/shredRound.ts"
import type { SpokenWords } from "../rows/spokenWords.ts"
import { readingWords, type WordsFault } from "./readingWords.ts"
import { refusalLines } from "../rows/refusalLines.ts"
import { storedPage, type StoredRound } from "./StoredRound.ts"

/** How far one list has been read; for progress bars. */
export interface ExtractProgress {
  readonly gameId: string
  readonly round: number
  readonly kind: PageKind
  readonly pagesDone: number
  /** Null if the list does not state its length. */
  readonly pagesTotal: number | null
  /** Records received so far, refused ones included. */
  readonly records: number
  /** Pages of all lists that were already stored. */
  readonly resumedPages: number
  /** When the list will have been read; null while that is unknown, and when it is near. */
  readonly expectedEndAt: string | null
  /** The words of the products so far; null if none has shown any. */
  readonly dialect: DialectName | null
}

/** Everything about a game, read once. */
export interface Round {
  readonly pages: ReadonlyArray<RawPage>
  readonly unknownKeys: ReadonlyMap<
    string,
    { readonly kind: PageKind; readonly path: string; readonly records: number }
  >
  /** Why it cannot be used; empty if the census adds up. */
  readonly faults: ReadonlyArray<string>
  /** The one among them that is about words. */
  readonly wordsFault: WordsFault | null
  /** Whether a page of products had changed at the end. */
  readonly moved: boolean
  readonly resumedPages: number
  /** Null if no page has a word that dialects have their own for. */
  readonly dialect: Dialect | null
}

/** What remains of a page in memory once it is stored. */
interface StoredPage<P> {
  readonly raw: RawPage
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: AcceptedPage["unknownKeys"]
  readonly ids: ReadonlyArray<unknown>
  readonly spoken: SpokenWords
  readonly pagination: P
}

/** A stored page of an offset list. */
interface StoredPageAt extends StoredPage<OffsetPagination> {
  readonly position: PagePosition
}

/** Unknown keys that a reading lists by name; all others count as one. */
const maxUnknownPaths = 10_000
const otherPaths = "*"

const usableId = (id: unknown): number => (Number.isSafeInteger(id) ? Number(id) : Number.NaN)

/**
 * Reads every list of a game once: each page is checked against the contract and stored, or taken from `stored`. Stops
 * at the first census fault; at the end some pages of products are requested again, see {@link pageMoved}.
 */
export const readRound = Effect.fnUntraced(function* (options: {
  readonly gameId: string
  readonly round: number
  /** Deployment that was live before the round. */
  readonly head: string | null
  readonly files: RawFiles
  /** The words to read it in; null: those that its pages show. */
  readonly dialect: Dialect | null
  /** Where its records go; null = they are only counted. */
  readonly batches: Batches | null
  readonly games: Page<null>
  /** The round that this one continues; its files are where `files` writes. */
  readonly stored: StoredRound | null
  readonly previousDeploymentId: DeploymentId | null
  readonly onProgress: (progress: ExtractProgress) => void
}) {
  const { files, gameId, previousDeploymentId, round, stored } = options
  const marketplace = yield* Marketplace
  const pages: Array<RawPage> = []
  const unknownKeys = new Map<string, { kind: PageKind; path: string; records: number }>()
  let resumedPages = 0
  const words = readingWords(options.dialect)
  let wordsFault: WordsFault | null = null
  /** Of the products. */
  let pageSize = 0
  const ended = (faults: ReadonlyArray<string>, moved = false): Round => ({
    pages,
    unknownKeys,
    faults,
    wordsFault,
    moved,
    resumedPages,
    dialect: words.dialect()
  })
  const tell = (progress: Omit<ExtractProgress, "gameId" | "round" | "resumedPages" | "dialect">) =>
    options.onProgress({ gameId, round, resumedPages, dialect: words.dialect()?.name ?? null, ...progress })
  const clock = yield* Clock.Clock
  const continued =
    stored === null ? marketplace : continuedMarketplace(marketplace, stored, () => void (resumedPages += 1))
  yield* files.startRound(round, options.head, stored?.startedAt ?? null)

  const parsing = {
    words,
    round: options.batches === null ? countRound : yield* shredRound(options.batches, options.head)
  }

  const store = <P>(
    kind: PageKind,
    body: ParsedBody<P>,
    number: number
  ): Effect.Effect<StoredPage<P>, RawFilesFailed> =>
    Effect.map(files.storePage(kind, number, body), (raw) => {
      const { ids, refusals, spoken, unknownKeys } = body.parsed
      return { raw, refusals: refusalLines(raw.file, refusals), unknownKeys, ids, spoken, pagination: body.pagination }
    })

  const note = Effect.fnUntraced(function* ({ raw, refusals, ...page }: StoredPage<unknown>) {
    pages.push(raw)
    for (const [key, records] of page.unknownKeys) {
      const path = unknownKeys.size < maxUnknownPaths || unknownKeys.has(`${raw.kind} ${key}`) ? key : otherPaths
      const known = unknownKeys.get(`${raw.kind} ${path}`)
      if (known === undefined) unknownKeys.set(`${raw.kind} ${path}`, { kind: raw.kind, path, records })
      else known.records += records
    }
    yield* files.storeRefusals(refusals)
  })

  const readOffsetList = <E, R>(kind: PageKind, list: Stream.Stream<StoredPageAt, E, R>) =>
    Effect.suspend(() => {
      let census: Census | null = null
      const startedMillis = clock.currentTimeMillisUnsafe()
      let records = 0
      let fault: string | null = null
      return list.pipe(
        Stream.runForEachWhile((page) =>
          Effect.map(note(page), () => {
            const { ids, pagination, position, raw, spoken } = page
            if (kind === "products") pageSize = position.size
            census ??= makeCensus(`the ${kind}`, position.size)
            records += raw.records
            fault = census.add({ pagination, received: raw.records, ids: ids.map(usableId) })
            if (fault === null) {
              wordsFault = words.fault(`page ${position.number + 1} of the ${kind}`, spoken)
              fault = wordsFault?.says ?? null
            }
            const pagesTotal = Math.max(1, Math.ceil(pagination.total / position.size))
            const pagesDone = position.number + 1
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
  const storeAt = (kind: PageKind) => (page: ParsedBody<OffsetPagination>, position: PagePosition) =>
    Effect.map(store(kind, page, position.number), (stored): StoredPageAt => ({ ...stored, position }))
  const readList = (list: OffsetList) =>
    readOffsetList(list, offsetPages({ gameId, list }, openWith(parsing, list)<OffsetPagination>, storeAt(list)))

  yield* note(yield* store("games", yield* parseGames(parsing, gameId, options.games), 0))
  for (const list of offsetListNames) {
    const faults = yield* readList(list)
    if (faults.length > 0) return ended(faults)
  }

  let records = 0
  let number = 0
  const openEntries = openWith(parsing, "changelog", () => number)<CursorPagination>
  const storeEntries = Effect.fnUntraced(function* (page: ParsedBody<CursorPagination>) {
    const isLast = previousDeploymentId !== null && page.parsed.ids.includes(previousDeploymentId)
    const stored = yield* store("changelog", page, number++)
    yield* note(stored)
    records += stored.raw.records
    tell({ kind: "changelog", pagesDone: number, pagesTotal: null, records, expectedEndAt: null })
    return isLast
  })
  yield* (yield* entriesSince(gameId, previousDeploymentId, openEntries, storeEntries)).pipe(
    Stream.takeUntil((isLast) => isLast),
    Stream.runDrain,
    Effect.provideService(Marketplace, continued)
  )
  const written = { folder: files.folder, pages: new Map(pages.map((page) => [page.request, page])) }
  for (const number of probedPages(pages.filter((page) => page.kind === "products").length)) {
    const offset = number * pageSize
    // Requested before the stored one is read: a page that holds the lock must not request another.
    const moved = Effect.gen(function* () {
      const call = offsetCall("products", { gameId, offset }, marketplace.dialect)
      const after = yield* marketplace.opened(call, wholePage<OffsetPagination>)
      const before = yield* storedPage(written, call, wholePage<OffsetPagination>)
      return before === null || pageMoved(before, after, words.dialect() ?? dialects.spec)
    })
    if (yield* withLargePageLock(moved)) return ended([], true)
  }
  yield* parsing.round.end
  return ended([])
})
