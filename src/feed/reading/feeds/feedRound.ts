import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { Marketplace } from "../../client/Marketplace.ts"
import type { CursorPagination } from "../../client/pageCalls.ts"
import type { Page } from "../../client/RawBody.ts"
import type { Dialect } from "../../contract/dialect/dialects.ts"
import { FeedType } from "../../contract/FeedFile.ts"
import type { DeploymentId } from "../../contract/Ids.ts"
import { feedKinds, type PageKind } from "../../contract/records.ts"
import { feedFolders, type Batches, countRound, shredRound } from "../../rows/shredRound.ts"
import { refusalLines } from "../../rows/Refusal.ts"
import { duplicates } from "../census.ts"
import { entriesSince } from "../changelogEntries.ts"
import type { Extraction, RawPage } from "../Extraction.ts"
import type { RawFiles } from "../RawFiles.ts"
import { openWith, parseGames, type ParsedBody } from "../openWith.ts"
import { readingWords, type WordsFault } from "../readingWords.ts"
import type { ExtractProgress } from "../readRound.ts"
import type { OfferedFeeds } from "../../client/feedFiles.ts"
import { feedRequest, type HeldFeed, obtainFeed } from "./obtainFeed.ts"
import { maxUnpackedBytes, parseFeed } from "./parseFeed.ts"
import { isFeedPage, type PublishedFeeds } from "./usedFeeds.ts"

const linesPerPage = 200
const maxNamed = 5

/** A page of a list, with what the contract said of its records. */
interface ListPage {
  readonly raw: RawPage
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: ReadonlyMap<string, number>
}

/** The files of one reading while it goes on: a file that is still what is offered is not read twice. */
export const makeFeedRound = Effect.fnUntraced(function* (options: {
  readonly gameId: string
  readonly files: RawFiles
  readonly games: Page<null>
  readonly published: PublishedFeeds | null
  readonly dialect: Dialect | null
  readonly batches: Batches | null
  /** What a reading that died had, by request. */
  readonly stored: ReadonlyMap<string, RawPage>
  readonly onProgress: (progress: ExtractProgress) => void
}) {
  const { batches, dialect, files, gameId, games, onProgress, published, stored } = options
  const held = new Map<FeedType, HeldFeed>()

  const roundIn = (folder: string) =>
    batches === null ? Effect.succeed(countRound) : shredRound({ folder: join(batches.folder, folder), isWhole: false })

  const readOne = Effect.fnUntraced(function* (type: FeedType, offered: NonNullable<OfferedFeeds>, number: number) {
    const known = held.get(type)
    if (known?.page.feed.checksum === offered[type].checksum) return null
    held.delete(type)
    const kind = feedKinds[type]
    const { recordCount } = offered[type]
    const pagesTotal = Math.max(1, Math.ceil(recordCount / linesPerPage))
    const parse = Effect.fnUntraced(function* (file: string, name: string) {
      const { size } = yield* Effect.tryPromise({ try: () => stat(file), catch: String })
      const round = yield* roundIn(feedFolders[kind])
      const onPage = (records: number) =>
        onProgress({
          gameId,
          round: number,
          kind,
          pagesDone: Math.ceil(records / linesPerPage),
          pagesTotal,
          records,
          resumedPages: 0,
          expectedEndAt: null,
          dialect: null
        })
      const parsed = yield* parseFeed(round, {
        file,
        maxBytes: maxUnpackedBytes(recordCount, size),
        kind,
        gameId,
        name,
        dialect,
        onPage
      })
      const cause = yield* round.end
      return cause === null ? parsed : yield* Effect.fail(cause)
    })
    const page = stored.get(feedRequest(type))
    const found = yield* Effect.result(
      obtainFeed(type, offered[type], {
        files,
        stored: page !== undefined && isFeedPage(page) ? page : null,
        used: published?.feeds?.[type] ?? null,
        parse
      })
    )
    if (found._tag === "Success") {
      held.set(type, found.success)
      return null
    }
    const { failure } = found
    if (typeof failure === "string") return { type, fault: failure }
    return failure._tag === "LinkFailed" ? { type, fault: failure.message } : yield* failure
  })

  /** Why the files cannot be one reading: ids that come twice, or words of several dialects. */
  const census = (): { readonly faults: ReadonlyArray<string>; readonly words: WordsFault | null } => {
    const words = readingWords(dialect)
    const faults: Array<string> = []
    let odd: WordsFault | null = null
    for (const [type, { parsed }] of held) {
      const twice = duplicates(parsed.ids)
      if (twice.length > 0) faults.push(`ids twice in the ${type} file: ${twice.slice(0, maxNamed).join(", ")}`)
      odd ??= words.fault(`the ${type} file`, parsed.spoken)
    }
    return { faults, words: odd }
  }

  /** The list of games, and the changelog back to the published deployment. */
  const readLists = Effect.fnUntraced(function* (known: DeploymentId | null, head: DeploymentId | null) {
    const round = yield* roundIn(feedFolders.lists)
    const parsing = { words: readingWords(dialect), round }
    const pages: Array<ListPage> = []
    const store = <P>(kind: PageKind, body: ParsedBody<P>, number: number) =>
      Effect.map(files.storePage(kind, number, body), (raw) => {
        const { refusals, unknownKeys } = body.parsed
        pages.push({ raw, refusals: refusalLines(raw.file, refusals), unknownKeys })
      })
    yield* store("games", yield* parseGames(parsing, gameId, games), 0)
    if (head !== null && head !== known) {
      let number = 0
      const marketplace = yield* Marketplace
      const open = openWith(parsing, "changelog", () => number)<CursorPagination>
      const use = (page: ParsedBody<CursorPagination>) =>
        Effect.map(store("changelog", page, number++), () => known !== null && page.parsed.ids.includes(known))
      yield* (yield* entriesSince(gameId, known, open, use)).pipe(
        Stream.takeUntil((isLast) => isLast),
        Stream.runDrain,
        Effect.provideService(Marketplace, marketplace)
      )
    }
    const cause = yield* round.end
    return { pages, cause }
  })

  /** What was read, once it is known to be of one state. */
  const finished = Effect.fnUntraced(function* (lists: Effect.Success<ReturnType<typeof readLists>>) {
    const feeds = FeedType.literals.flatMap((type) => held.get(type) ?? [])
    const unknownKeys: Array<Extraction["unknownKeys"][number]> = []
    const noted = new Map<string, Extraction["unknownKeys"][number]>()
    const note = (kind: PageKind, keys: ReadonlyMap<string, number>) => {
      for (const [path, records] of keys) {
        const key = `${kind} ${path}`
        noted.set(key, { kind, path, records: records + (noted.get(key)?.records ?? 0) })
      }
    }
    for (const { raw, refusals, unknownKeys } of lists.pages) {
      note(raw.kind, unknownKeys)
      yield* files.storeRefusals(refusals)
    }
    for (const { page, parsed } of feeds) {
      note(page.kind, parsed.unknownKeys)
      yield* files.storeRefusals(parsed.refusals)
    }
    unknownKeys.push(...noted.values())
    if (batches !== null) batches.isWhole = lists.cause === null
    const words = readingWords(dialect)
    for (const { page, parsed } of feeds) words.fault(page.kind, parsed.spoken)
    const pages = [...lists.pages.map(({ raw }) => raw), ...feeds.map(({ page }) => page)]
    return {
      pages,
      unknownKeys,
      dialect: words.dialect(),
      storedFiles: feeds.filter(({ wasStored }) => wasStored).length,
      accepted: (kind: PageKind) =>
        pages.reduce((sum, page) => (page.kind === kind ? sum + page.records - page.refused : sum), 0)
    }
  })

  return {
    files,
    census,
    readLists,
    finished,
    /** Reads what is offered and not held; what is wrong with which file. */
    read: (offered: NonNullable<OfferedFeeds>, number: number) =>
      Effect.map(
        Effect.forEach(FeedType.literals, (type) => readOne(type, offered, number), { concurrency: 3 }),
        (faults) => faults.filter((fault) => fault !== null)
      )
  }
})
