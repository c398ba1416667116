import { Marketplace } from "../client/Marketplace.ts"
import { hash } from "node:crypto"
import { Clock, Effect, Stream } from "effect"
import type { DeploymentId } from "../contract/Ids.ts"
import { wholePage, offsetCall, type OffsetPagination } from "../client/pageCalls.ts"
import { withLargePageLock, type OpenedPage, type Page } from "../client/RawBody.ts"
import { type OffsetList, offsetListNames } from "../client/offsetLists.ts"
import { offsetPages, pagesInFlight, type PagePosition } from "../client/offsetPages.ts"
import { type Dialect, type DialectName, dialects } from "../contract/dialect/dialects.ts"
import type { PageKind } from "../contract/records.ts"
import { type RawFiles, roundNotes, type StoredPage, storedAs, storeParsed } from "./RawFiles.ts"
import { makeCensus, type Census } from "./census.ts"
import { readChangelog } from "./changelogEntries.ts"
import { pageMoved, probedPages, type KnownPages, knownRound } from "./knownPages.ts"
import { openWith, parseGames, type ParsedBody } from "./openWith.ts"
import { type Batches, countRound, shredRound } from "../rows/shredRound.ts"
import type { DetectedNames } from "../rows/detectDialect.ts"
import { readingWords, type WordsFault } from "./readingWords.ts"
import { continuedMarketplace, storedPage, type StoredRound } from "./StoredRound.ts"

/** The minimum elapsed time for a meaningful estimate. */
const paceMillis = 2000

/** The minimum remaining time that is reported. */
const soonMillis = 10_000

/**
 * Estimates when a list is complete, by the pace so far or by the known rate limits, whichever is later.
 * `startedMillis` is when its first page was requested. Null if there is no estimate or if the end is near.
 */
export const expectedEnd = (
  { millisFor }: Pick<Marketplace["Service"], "millisFor">,
  startedMillis: number,
  nowMillis: number,
  progress: {
    readonly operation: string
    readonly game: string
    readonly pagesDone: number
    readonly pagesTotal: number
  }
): string | null => {
  const pagesLeft = progress.pagesTotal - progress.pagesDone
  const passed = nowMillis - startedMillis
  if (pagesLeft <= 0) return null
  const limited = millisFor(progress, pagesLeft, nowMillis)
  const paced = passed < paceMillis || progress.pagesDone === 0 ? 0 : (passed / progress.pagesDone) * pagesLeft
  const millis = Math.max(limited, paced)
  return millis < soonMillis ? null : new Date(nowMillis + millis).toISOString()
}

export interface ExtractProgress {
  readonly gameId: string
  readonly round: number
  readonly kind: PageKind
  readonly pagesDone: number
  /** Null if the list does not state its length. */
  readonly pagesTotal: number | null
  /** Records received so far, refused ones included. */
  readonly records: number
  /** Pages of all lists that an earlier run stored. */
  readonly resumedPages: number
  /** The estimated end of the list; null if it is unknown or near. */
  readonly expectedEndAt: string | null
  /** The dialect of the products so far; null if no page has shown any. */
  readonly dialect: DialectName | null
}

interface StoredPageAt extends StoredPage<OffsetPagination> {
  readonly position: PagePosition
}

/** The parameters of a round, which is one attempt to read every list of a game. */
export interface RoundToRead {
  readonly gameId: string
  readonly round: number
  readonly head: string | null
  readonly files: RawFiles
  /** The dialect to read; null if the pages determine it. */
  readonly dialect: Dialect | null
  /** The target of its records; null if they are only counted. */
  readonly batches: Batches | null
  /** The published reading; null if there is none, or if its pages cannot replace new ones. */
  readonly known: KnownPages | null
  readonly games: Page<null>
  /** The round that this one continues; its files are in the folder of `files`. */
  readonly stored: StoredRound | null
  /** The deployment of the previous snapshot; the changelog is read back to it. Null if there is no snapshot. */
  readonly previousDeploymentId: DeploymentId | null
  readonly onProgress: (progress: ExtractProgress) => void
}

const usableIds = (ids: ReadonlyArray<unknown>): ReadonlyArray<number> =>
  ids.map((id) => (Number.isSafeInteger(id) ? Number(id) : Number.NaN))

const openRound = Effect.fnUntraced(function* (of: RoundToRead) {
  const { batches, files, gameId, head, known, onProgress, round, stored } = of
  const marketplace = yield* Marketplace
  const words = readingWords(of.dialect)
  /** `pageSize` is the page size of the products. */
  const seen = { resumedPages: 0, wordsFault: null as WordsFault | null, pageSize: 0 }
  /** Unopened pages of products. */
  const left: Array<StoredPageAt> = []
  yield* files.startRound(round, head, stored?.startedAt ?? null)
  const rows = batches === null ? countRound : yield* shredRound(batches)
  const dialectNow = () => (left.length > 0 && known !== null ? known.dialect : words.dialect())
  return {
    ...of,
    marketplace,
    continued:
      stored === null ? marketplace : continuedMarketplace(marketplace, stored, () => void (seen.resumedPages += 1)),
    parsing: { words, round: rows },
    notes: roundNotes(files),
    beside: knownRound(known, head),
    left,
    seen,
    dialectNow,
    tell: (progress: Omit<ExtractProgress, "gameId" | "round" | "resumedPages" | "dialect">) =>
      onProgress({ gameId, round, resumedPages: seen.resumedPages, dialect: dialectNow()?.name ?? null, ...progress }),
    wordsFaultOf: (kind: PageKind, { number }: PagePosition, spoken: DetectedNames): string | null => {
      const fault = words.fault(`page ${number + 1} of the ${kind}`, spoken)
      seen.wordsFault ??= fault
      return fault?.says ?? null
    }
  }
})

type OpenRound = Effect.Success<ReturnType<typeof openRound>>

/** Opens the unopened pages from the disk, because something has changed after all. */
const openLeft = ({ files, gameId, left, marketplace, notes, parsing, wordsFaultOf }: OpenRound, census: Census) =>
  Effect.forEach(
    left.splice(0),
    Effect.fnUntraced(function* ({ position, raw }) {
      const offset = position.number * position.size
      const call = offsetCall("products", { gameId, offset }, marketplace.dialect)
      const stored = { folder: files.folder, pages: new Map([[raw.request, raw]]) }
      const page = yield* storedPage(stored, call, openWith(parsing, "products")<OffsetPagination>)
      if (page === null) return `page ${position.number + 1} of the products is no longer on disk`
      census.name(offset, usableIds(page.parsed.ids))
      yield* notes.noteFaults(storedAs(raw, page))
      return wordsFaultOf("products", position, page.parsed.spoken)
    }, withLargePageLock),
    { concurrency: pagesInFlight }
  )

/** Reads a list page by page until the first fault. Returns its faults; empty if its census adds up. */
const readList = Effect.fnUntraced(function* (round: OpenRound, list: OffsetList) {
  const { beside, continued, files, gameId, left, marketplace, notes, parsing, seen, tell, wordsFaultOf } = round
  const clock = yield* Clock.Clock
  const startedMillis = clock.currentTimeMillisUnsafe()
  const read = { census: null as Census | null, records: 0, fault: null as string | null }
  const store = (page: ParsedBody<OffsetPagination>, position: PagePosition) =>
    Effect.map(storeParsed(files, list, page, position.number), (stored): StoredPageAt => ({ ...stored, position }))
  const take = (page: StoredPageAt): boolean => {
    const { ids, isLeft, pagination, position, raw, spoken } = page
    if (list === "products") seen.pageSize = position.size
    read.census ??= makeCensus(`the ${list}`, position.size)
    read.records += raw.records
    if (isLeft) left.push(page)
    read.fault = read.census.add({ pagination, received: raw.records, ids: usableIds(ids) })
    read.fault ??= wordsFaultOf(list, position, spoken)
    const pagesTotal = Math.max(1, Math.ceil(pagination.total / position.size))
    const pagesDone = position.number + 1
    const progress = { operation: list, game: gameId, pagesDone, pagesTotal }
    const expectedEndAt = expectedEnd(marketplace, startedMillis, clock.currentTimeMillisUnsafe(), progress)
    tell({ kind: list, pagesDone, pagesTotal, records: read.records, expectedEndAt })
    return read.fault === null
  }
  const open = beside.opener(list, openWith(parsing, list)<OffsetPagination>)
  yield* offsetPages({ gameId, list }, open, store).pipe(
    Stream.runForEachWhile((page) => Effect.map(notes.note(page), () => take(page))),
    Effect.provideService(Marketplace, continued)
  )
  if (read.census === null || read.fault !== null) return read.fault === null ? [] : [read.fault]
  const late = beside.isSame() ? [] : yield* openLeft(round, read.census)
  const fault = late.find((one) => one !== null) ?? null
  return fault === null ? read.census.close() : [fault]
})

/** Requests some pages of products again. True if one has changed since it was read. */
const hasMoved = Effect.fnUntraced(function* ({ dialectNow, files, gameId, marketplace, notes, seen }: OpenRound) {
  const { pages } = notes
  const written = { folder: files.folder, pages: new Map(pages.map((page) => [page.request, page])) }
  for (const number of probedPages(pages.filter((page) => page.kind === "products").length)) {
    // The request comes before the stored page is read, because a page that holds the lock must not request another.
    const moved = Effect.gen(function* () {
      const call = offsetCall("products", { gameId, offset: number * seen.pageSize }, marketplace.dialect)
      const after = yield* marketplace.opened<OffsetPagination | null, OpenedPage<null> | Page<OffsetPagination>>(
        call,
        (answer, _, secret) =>
          hash("sha256", answer.bytes, "hex") === written.pages.get(call.request)?.sha256
            ? Effect.succeed({ ...answer, sentBytes: answer.bytes.length, received: 0, pagination: null })
            : wholePage(answer, call, secret)
      )
      // The body is the same, byte for byte.
      if (after.pagination === null) return false
      const before = yield* storedPage(written, call, wholePage<OffsetPagination>)
      return before === null || pageMoved(before, after, dialectNow() ?? dialects.spec)
    })
    if (yield* withLargePageLock(moved)) return true
  }
  return false
})

/**
 * Reads every list of a game once. Each page is validated and stored, or read from `stored`. The round ends at the
 * first census fault; `wordsFault` is one of its dialect. At its end, some pages of products are requested again, and
 * `moved` is true if one had changed, see {@link pageMoved}.
 */
export const readRound = Effect.fnUntraced(function* (of: RoundToRead) {
  const { batches, files, gameId, games, previousDeploymentId } = of
  const round = yield* openRound(of)
  const { beside, continued, dialectNow, left, notes, parsing, seen, tell } = round
  const ended = (faults: ReadonlyArray<string>, moved = false) => {
    const { pages, unknownKeys } = notes
    const { resumedPages, wordsFault } = seen
    return { pages, unknownKeys, faults, wordsFault, moved, resumedPages, dialect: dialectNow() }
  }
  const listed = yield* storeParsed(files, "games", yield* parseGames(parsing, gameId, games), 0)
  beside.listed(listed.raw)
  yield* notes.note(listed)
  for (const list of offsetListNames) {
    const faults = yield* readList(round, list)
    if (faults.length > 0) return ended(faults)
  }
  let records = 0
  yield* readChangelog(
    { gameId, known: previousDeploymentId, parsing, from: continued },
    Effect.fnUntraced(function* (page, number) {
      const stored = yield* storeParsed(files, "changelog", page, number)
      yield* notes.note(stored)
      records += stored.raw.records
      tell({ kind: "changelog", pagesDone: number + 1, pagesTotal: null, records, expectedEndAt: null })
    })
  )
  if (yield* hasMoved(round)) return ended([], true)
  yield* parsing.round.end
  if (batches !== null && left.length > 0) batches.isWhole = false
  return ended([])
})
