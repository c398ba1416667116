import { join } from "node:path"
import { Effect } from "effect"
import { lookAt, onDisk } from "../../disk/Disk.ts"
import { Marketplace } from "../../client/Marketplace.ts"
import type { Page } from "../../client/RawBody.ts"
import type { Dialect } from "../../contract/dialect/dialects.ts"
import { FeedType } from "../../contract/FeedFile.ts"
import type { DeploymentId } from "../../contract/Ids.ts"
import { feedKinds } from "../../contract/records.ts"
import { feedFolders, type Batches, countRound, shredRound } from "../../rows/shredRound.ts"
import { duplicates } from "../census.ts"
import { readChangelog } from "../changelogEntries.ts"
import type { RawPage } from "../Extraction.ts"
import { type RawFiles, roundNotes, type StoredPage, storeParsed } from "../RawFiles.ts"
import { parseGames } from "../openWith.ts"
import { readingWords, type WordsFault } from "../readingWords.ts"
import type { ExtractProgress } from "../readRound.ts"
import type { OfferedFeeds } from "../../client/otherCalls.ts"
import { feedRequest, type HeldFeed, obtainFeed } from "./obtainFeed.ts"
import { maxUnpackedBytes, parseFeed } from "./parseFeed.ts"
import { isFeedPage, type PublishedFeeds } from "./usedFeeds.ts"

const linesPerPage = 200
const maxNamed = 5

export interface FeedsToRead {
  readonly gameId: string
  readonly files: RawFiles
  readonly games: Page<null>
  readonly published: PublishedFeeds | null
  readonly dialect: Dialect | null
  readonly batches: Batches | null
  /** The files that a crashed reading had stored, by request. */
  readonly stored: ReadonlyMap<string, RawPage>
  readonly onProgress: (progress: ExtractProgress) => void
}

type Offered = NonNullable<OfferedFeeds>
type Held = Map<FeedType, HeldFeed>

const roundIn = ({ batches }: FeedsToRead, folder: string) =>
  batches === null ? Effect.succeed(countRound) : shredRound({ folder: join(batches.folder, folder), isWhole: false })

/** Parses a feed file of this many records. Fails with a text, also if one of its rows cannot be written. */
const parseOne = (of: FeedsToRead, type: FeedType, recordCount: number, round: number) =>
  Effect.fnUntraced(function* (file: string, name: string) {
    const { dialect, gameId, onProgress } = of
    const kind = feedKinds[type]
    const pagesTotal = Math.max(1, Math.ceil(recordCount / linesPerPage))
    const size = yield* onDisk(async (disk) => lookAt(disk, file).sizeBytes, String)
    const rows = yield* roundIn(of, feedFolders[kind])
    const onPage = (records: number) =>
      onProgress({
        gameId,
        round,
        kind,
        pagesDone: Math.ceil(records / linesPerPage),
        pagesTotal,
        records,
        resumedPages: 0,
        expectedEndAt: null,
        dialect: null
      })
    const maxBytes = maxUnpackedBytes(recordCount, size)
    const parsed = yield* parseFeed(rows, { file, maxBytes, kind, gameId, name, dialect, onPage })
    const cause = yield* rows.end
    return cause === null ? parsed : yield* Effect.fail(cause)
  })

/** Reads a file unless the held one matches the offer. Returns its fault; null if there is none. */
const readOne = Effect.fnUntraced(function* (
  of: FeedsToRead,
  held: Held,
  { offered, round, type }: { readonly type: FeedType; readonly offered: Offered; readonly round: number }
) {
  if (held.get(type)?.page.feed.checksum === offered[type].checksum) return null
  held.delete(type)
  const { files, published, stored } = of
  const page = stored.get(feedRequest(type))
  const found = yield* Effect.result(
    obtainFeed(type, offered[type], {
      files,
      stored: page !== undefined && isFeedPage(page) ? page : null,
      used: published?.feeds?.[type] ?? null,
      parse: parseOne(of, type, offered[type].recordCount, round)
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

/** Returns the reasons why the files are not one reading: duplicate ids or several dialects. */
const takeCensus = (held: Held, dialect: Dialect | null) => {
  const words = readingWords(dialect)
  const faults: Array<string> = []
  let wordsFault: WordsFault | null = null
  for (const [type, { parsed }] of held) {
    const twice = duplicates(parsed.ids)
    if (twice.length > 0) faults.push(`ids twice in the ${type} file: ${twice.slice(0, maxNamed).join(", ")}`)
    wordsFault ??= words.fault(`the ${type} file`, parsed.spoken)
  }
  return { faults: faults as ReadonlyArray<string>, words: wordsFault }
}

/** Reads the list of games, and the changelog back to the published deployment. */
const readLists = Effect.fnUntraced(function* (of: FeedsToRead, known: DeploymentId | null, head: DeploymentId | null) {
  const { dialect, files, gameId, games } = of
  const round = yield* roundIn(of, feedFolders.lists)
  const parsing = { words: readingWords(dialect), round }
  const pages: Array<StoredPage<unknown>> = []
  pages.push(yield* storeParsed(files, "games", yield* parseGames(parsing, gameId, games), 0))
  if (head !== null && head !== known) {
    yield* readChangelog({ gameId, known, parsing, from: yield* Marketplace }, (page, number) =>
      Effect.map(storeParsed(files, "changelog", page, number), (stored) => pages.push(stored))
    )
  }
  return { pages, cause: yield* round.end }
})

/** Returns the finished extraction. Call it only if all files belong to one state. */
const finished = Effect.fnUntraced(function* (
  { batches, dialect, files }: FeedsToRead,
  held: Held,
  lists: Effect.Success<ReturnType<typeof readLists>>
) {
  const feeds = FeedType.literals.flatMap((type) => held.get(type) ?? [])
  const { note, pages, unknownKeys } = roundNotes(files)
  const words = readingWords(dialect)
  for (const page of lists.pages) yield* note(page)
  for (const { page, parsed } of feeds) {
    yield* note({ raw: page, refusals: parsed.refusals, unknownKeys: parsed.unknownKeys })
    words.fault(page.kind, parsed.spoken)
  }
  if (batches !== null) batches.isWhole = lists.cause === null
  const resumedPages = feeds.filter(({ wasStored }) => wasStored).length
  return { pages, unknownKeys, dialect: words.dialect(), resumedPages }
})

/** The files of one reading in progress. A held file that still matches the offer is not read twice. */
export const makeFeedRound = (of: FeedsToRead) => {
  const held: Held = new Map()
  return {
    files: of.files,
    census: () => takeCensus(held, of.dialect),
    readLists: (known: DeploymentId | null, head: DeploymentId | null) => readLists(of, known, head),
    finished: (lists: Effect.Success<ReturnType<typeof readLists>>) => finished(of, held, lists),
    /** Reads the offered files that are not held. Returns the fault of each file. */
    read: (offered: Offered, round: number) =>
      Effect.map(
        Effect.forEach(FeedType.literals, (type) => readOne(of, held, { type, offered, round }), { concurrency: 3 }),
        (faults) => faults.filter((fault) => fault !== null)
      )
  }
}
