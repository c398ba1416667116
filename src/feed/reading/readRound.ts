import { Clock, Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { Marketplace } from "../client/Marketplace.ts"
import { wholePage } from "../client/openPage.ts"
import { offsetCall, type CursorPagination, type OffsetPagination } from "../client/pageCalls.ts"
import { withLargePageLock, type Page } from "../client/RawBody.ts"
import { type OffsetList, offsetListNames } from "../client/offsetLists.ts"
import { offsetPages, pagesInFlight, type PagePosition } from "../client/offsetPages.ts"
import type { RawPage } from "./Extraction.ts"
import { type Dialect, type DialectName, dialects } from "../contract/dialect/dialects.ts"
import type { PageKind } from "../contract/records.ts"
import type { RawFilesFailed } from "./ExtractionError.ts"
import type { RawFiles } from "./RawFiles.ts"
import { makeCensus, type Census } from "./census.ts"
import { entriesSince } from "./changelogEntries.ts"
import { expectedEnd } from "./expectedEnd.ts"
import { pageMoved, probedPages } from "./pageMoved.ts"
import { type KnownPages, knownRound } from "./knownPages.ts"
import { openWith, parseGames, type ParsedBody } from "./openWith.ts"
import { type Batches, countRound, shredRound } from "../rows/shredRound.ts"
import type { SpokenWords } from "../rows/spokenWords.ts"
import { readingWords, type WordsFault } from "./readingWords.ts"
import { type RoundNotes, roundNotes, type StoredPage } from "./roundNotes.ts"
import { refusalLines } from "../rows/Refusal.ts"
import { continuedMarketplace, storedPage, type StoredRound } from "./StoredRound.ts"

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
  readonly unknownKeys: RoundNotes["unknownKeys"]
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

/** A stored page of an offset list. */
interface StoredPageAt extends StoredPage<OffsetPagination> {
  readonly position: PagePosition
}

const usableIds = (ids: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  ids.map((id) => (Number.isSafeInteger(id) ? Number(id) : Number.NaN))

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
  /** What was published last; null = nothing, or nothing that can stand for what is read now. */
  readonly known: KnownPages | null
  readonly games: Page<null>
  /** The round that this one continues; its files are where `files` writes. */
  readonly stored: StoredRound | null
  readonly previousDeploymentId: DeploymentId | null
  readonly onProgress: (progress: ExtractProgress) => void
}) {
  const { batches, files, gameId, known, previousDeploymentId, round, stored } = options
  const marketplace = yield* Marketplace
  const { note, noteFaults, pages, unknownKeys } = roundNotes(files)
  let resumedPages = 0
  const words = readingWords(options.dialect)
  let wordsFault: WordsFault | null = null
  /** Of the products. */
  let pageSize = 0
  const beside = knownRound(known, options.head)
  /** Pages of products that are not opened. */
  const left: Array<StoredPageAt> = []
  const dialectNow = () => (left.length > 0 && known !== null ? known.dialect : words.dialect())
  const ended = (faults: ReadonlyArray<string>, moved = false): Round => ({
    pages,
    unknownKeys,
    faults,
    wordsFault,
    moved,
    resumedPages,
    dialect: dialectNow()
  })
  const tell = (progress: Omit<ExtractProgress, "gameId" | "round" | "resumedPages" | "dialect">) =>
    options.onProgress({ gameId, round, resumedPages, dialect: dialectNow()?.name ?? null, ...progress })
  const clock = yield* Clock.Clock
  const continued =
    stored === null ? marketplace : continuedMarketplace(marketplace, stored, () => void (resumedPages += 1))
  yield* files.startRound(round, options.head, stored?.startedAt ?? null)

  const parsing = {
    words,
    round: batches === null ? countRound : yield* shredRound(batches)
  }

  const wordsFaultOf = (kind: PageKind, { number }: PagePosition, spoken: SpokenWords): string | null => {
    const fault = words.fault(`page ${number + 1} of the ${kind}`, spoken)
    wordsFault ??= fault
    return fault?.says ?? null
  }

  const store = <P>(
    kind: PageKind,
    body: ParsedBody<P>,
    number: number
  ): Effect.Effect<StoredPage<P>, RawFilesFailed> =>
    Effect.map(files.storePage(kind, number, body), (raw) => {
      const { ids, refusals, spoken, unknownKeys } = body.parsed
      const { isLeft = false, pagination } = body
      return { raw, refusals: refusalLines(raw.file, refusals), unknownKeys, ids, spoken, pagination, isLeft }
    })

  /** Something is new after all: what was left is opened from the disk. */
  const openLeft = (census: Census) =>
    Effect.forEach(
      left.splice(0),
      Effect.fnUntraced(function* ({ position, raw }) {
        const offset = position.number * position.size
        const call = offsetCall("products", { gameId, offset }, marketplace.dialect)
        const stored = { folder: files.folder, pages: new Map([[raw.request, raw]]) }
        const page = yield* storedPage(stored, call, openWith(parsing, "products")<OffsetPagination>)
        if (page === null) return `page ${position.number + 1} of the products is not on the disk any more`
        const { ids, refusals, spoken, unknownKeys } = page.parsed
        census.name(offset, usableIds(ids))
        yield* noteFaults({ raw, refusals: refusalLines(raw.file, refusals), unknownKeys })
        return wordsFaultOf("products", position, spoken)
      }, withLargePageLock),
      { concurrency: pagesInFlight }
    )

  const readOffsetList = <E, R>(kind: PageKind, list: Stream.Stream<StoredPageAt, E, R>) =>
    Effect.suspend(() => {
      let census: Census | null = null
      const startedMillis = clock.currentTimeMillisUnsafe()
      let records = 0
      let fault: string | null = null
      return list.pipe(
        Stream.runForEachWhile((page) =>
          Effect.map(note(page), () => {
            const { ids, isLeft, pagination, position, raw, spoken } = page
            if (kind === "products") pageSize = position.size
            census ??= makeCensus(`the ${kind}`, position.size)
            records += raw.records
            if (isLeft) left.push(page)
            fault = census.add({ pagination, received: raw.records, ids: usableIds(ids) })
            fault ??= wordsFaultOf(kind, position, spoken)
            const pagesTotal = Math.max(1, Math.ceil(pagination.total / position.size))
            const pagesDone = position.number + 1
            const progress = { operation: kind, game: gameId, pagesDone, pagesTotal }
            const expectedEndAt = expectedEnd(marketplace, startedMillis, clock.currentTimeMillisUnsafe(), progress)
            tell({ kind, pagesDone, pagesTotal, records, expectedEndAt })
            return fault === null
          })
        ),
        Effect.provideService(Marketplace, continued),
        Effect.andThen(
          Effect.suspend(() =>
            fault !== null || census === null || beside.isSame() ? Effect.succeed([]) : openLeft(census)
          )
        ),
        Effect.map((late) => {
          fault ??= late.find((one) => one !== null) ?? null
          return fault === null ? (census?.close() ?? []) : [fault]
        })
      )
    })
  const storeAt = (kind: PageKind) => (page: ParsedBody<OffsetPagination>, position: PagePosition) =>
    Effect.map(store(kind, page, position.number), (stored): StoredPageAt => ({ ...stored, position }))
  const openerOf = (list: OffsetList) => beside.opener(list, openWith(parsing, list)<OffsetPagination>)
  const readList = (list: OffsetList) =>
    readOffsetList(list, offsetPages({ gameId, list }, openerOf(list), storeAt(list)))

  const listed = yield* store("games", yield* parseGames(parsing, gameId, options.games), 0)
  beside.listed(listed.raw)
  yield* note(listed)
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
      return before === null || pageMoved(before, after, dialectNow() ?? dialects.spec)
    })
    if (yield* withLargePageLock(moved)) return ended([], true)
  }
  yield* parsing.round.end
  if (batches !== null && left.length > 0) batches.isWhole = false
  return ended([])
})
