import { join } from "node:path"
import { isThere, removeAll } from "../../home/disk.ts"
import { Effect, Stream, Result, Schema } from "effect"
import { takeLargePageLock, withLargePageLock, unpack } from "../../../feed/client/RawBody.ts"
import { type Extraction, type RawPage, pickFacts } from "../../../feed/reading/Extraction.ts"
import { type Refusal, refusalLines } from "../../../feed/rows/acceptPage.ts"
import { readRefusals } from "../../../feed/reading/readExtraction.ts"
import { Home } from "../../home/Home.ts"
import { feedFolders, type PageRound, shredRound, countRound } from "../../../feed/rows/shredRound.ts"
import { isFeedPage, type FeedPage } from "../../../feed/reading/feeds/usedFeeds.ts"
import { LakeError, lakeStep } from "../../../feed/reading/LakeError.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import { chooseDialect } from "../../../feed/contract/dialect/DialectFile.ts"
import type { FeedKind } from "../../../feed/contract/records.ts"
import { parseFeed } from "../../../feed/reading/feeds/parseFeed.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { makeRawFiles, roundNotes } from "../../../feed/reading/RawFiles.ts"
import { readingWords, dialectAdvice } from "../../../feed/reading/readingWords.ts"
import { parsePage, type SentPage } from "../../../feed/rows/parsePage.ts"
import type { DetectedNames } from "../../../feed/rows/detectDialect.ts"
import { hash } from "node:crypto"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"

/** A raw page does not match its stored checksum. */
export class RawPageDamaged extends Schema.TaggedError<RawPageDamaged>()("RawPageDamaged", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The raw page ${this.file} is damaged (${this.reason}), so its snapshot cannot be rebuilt. Check the disk, or restore the file from a backup`
  }
}

/** Reads the bytes of an extraction's page. Fails if they do not match their checksum. */
export const readRawPage = Effect.fnUntraced(function* (folder: string, page: RawPage) {
  const file = joinBelow(folder, page.file)
  yield* download(file)
  const bytes = yield* lakeStep(`Read ${file}`, (disk) => disk.read(file))
  if (matchesSum(page, bytes)) return bytes
  // The first readings recorded the checksum of the uncompressed body.
  const body = Result.getOrNull(unpack(bytes, "gzip", true))
  if (body !== null && matchesSum(page, body.plain)) return bytes
  return yield* new RawPageDamaged({ file, reason: "its sha256 has changed since it was read" })
})

const matchesSum = ({ sha256 }: RawPage, bytes: Uint8Array): boolean => hash("sha256", bytes, "hex") === sha256

/** Returns the number of a page in its list: `pages/products-000012.json.gz` is 12. */
export const parsePageNumber = (file: string): number => Number(/-(\d+)\.json\.gz$/.exec(file)?.[1] ?? 0)

export const openRawPage = (extraction: Extraction, { file, kind }: RawPage, bytes: Uint8Array): SentPage => ({
  kind,
  gameId: extraction.gameId,
  dialect: chooseDialect(extraction),
  number: parsePageNumber(file),
  bytes,
  encoding: "gzip",
  mayBeLarge: true,
  key: "",
  expects: null,
  leftOut: []
})

const recordsDiffer = (page: string, { before, first, now }: { before: number; first: string; now: number }) =>
  new Fault(
    "RecordsDiffer",
    `${before} records of ${page} were refused when it was read, and ${now} are now (${first}), so its snapshot cannot be rebuilt as it was. Use the version of Cardlake that made it, or read the game again: cardlake nightly`
  )

/** Parses a reading's stored feed file. Fails if it is missing or does not match its checksum. */
export const parseStored = Effect.fnUntraced(function* (
  round: PageRound,
  extraction: Extraction,
  {
    dialect = chooseDialect(extraction),
    leftOut = [],
    page
  }: { readonly page: FeedPage; readonly dialect?: Dialect | null; readonly leftOut?: ReadonlyArray<number> }
) {
  // An earlier reading may have downloaded it.
  const folder = (yield* Home).raw(extraction.gameId, page.feed.run ?? extraction.runId)
  const file = joinBelow(folder, page.file)
  const damaged = (reason: string) => new RawPageDamaged({ file, reason })
  yield* download(file)
  if (!isThere(file)) return yield* damaged("it is missing")
  const [kind, gameId] = [page.kind as FeedKind, extraction.gameId]
  const of = { file, maxBytes: page.sizeBytes, kind, gameId, name: page.file, dialect, leftOut }
  const parsed = yield* Effect.mapError(parseFeed(round, of), damaged)
  if (parsed.checksum !== page.feed.checksum) return yield* damaged("its checksum has changed since it was read")
  return { ...parsed, file }
})

/** Shreds a reading's stored feed file. Omits refused lines, as for pages. */
const shredFeed = Effect.fnUntraced(function* (
  extraction: Extraction,
  page: FeedPage,
  { folder, leftOut }: { readonly folder: string; readonly leftOut: ReadonlyArray<number> }
) {
  const round = yield* shredRound({ folder: join(folder, feedFolders[page.kind as FeedKind]), isWhole: false })
  const { file, refusals, refused } = yield* parseStored(round, extraction, { page, leftOut })
  const cause = yield* round.end
  if (cause !== null) return yield* new LakeError({ step: `Write the records of ${file}`, cause })
  if (refused <= page.refused) return
  const found = refusals.map((line) => JSON.parse(line) as Pick<Refusal, "index" | "reason">)
  const first = found.find(({ index }) => !leftOut.includes(index))
  const what = first === undefined ? "a line" : `line ${first.index + 1}: ${first.reason}`
  return yield* recordsDiffer(file, { before: page.refused, now: refused, first: what })
})

/** Maximum pages in memory: enough for every thread. */
const pagesAtOnce = 8

/** Returns the positions of refused records by page, as the reading lists them. */
const refusedPlaces = (folder: string) =>
  Stream.runFold(
    readRefusals(folder),
    () => new Map<string, Array<number>>(),
    (places, { index, page }: Refusal) => places.set(page, [...(places.get(page) ?? []), index])
  )

const shredPage = Effect.fnUntraced(function* (
  round: PageRound,
  extraction: Extraction,
  {
    folder,
    leftOut,
    page
  }: { readonly folder: string; readonly page: RawPage; readonly leftOut: ReadonlyArray<number> }
) {
  const file = join(folder, page.file)
  const sent = { ...openRawPage(extraction, page, yield* readRawPage(folder, page)), leftOut }
  const parse = (mayBeLarge: boolean) =>
    Effect.mapError(round.parse({ ...sent, mayBeLarge }), (cause) => new LakeError({ step: `Parse ${file}`, cause }))
  let parsed = yield* parse(false)
  if (parsed._tag === "large") {
    yield* takeLargePageLock
    parsed = yield* parse(true)
  }
  if (parsed._tag !== "parsed") {
    return yield* new RawPageDamaged({ file, reason: "what" in parsed ? parsed.what : "it is too large" })
  }
  const out = new Set([...leftOut, ...parsed.refusals.map(({ index }) => index)])
  if (out.size === page.refused) return
  const [first] = parsed.refusals
  const what = first === undefined ? "none" : `${first.path}: ${first.reason}`
  return yield* recordsDiffer(file, { before: page.refused, now: out.size, first: what })
}, withLargePageLock)

/** Shreds raw pages into batches below `folder`. Accepted records must still be accepted. Design: decision 3. */
export const shredExtraction = Effect.fn("shredExtraction")(function* (extraction: Extraction, folder: string) {
  const { gameId, pages, runId } = extraction
  const raw = (yield* Home).raw(gameId, runId)
  const refused = extraction.refused === 0 ? new Map<string, Array<number>>() : yield* refusedPlaces(raw)
  yield* removeAll(`Empty ${folder}`, [folder])
  for (const page of pages.filter(isFeedPage)) {
    yield* shredFeed(extraction, page, { folder, leftOut: refused.get(page.file) ?? [] })
  }
  const lists = extraction.via === "feeds" ? join(folder, feedFolders.lists) : folder
  const round = yield* shredRound({ folder: lists, isWhole: false })
  yield* Effect.forEach(
    pages.filter((page) => !isFeedPage(page)),
    (page) => shredPage(round, extraction, { folder: raw, page, leftOut: refused.get(page.file) ?? [] }),
    { concurrency: pagesAtOnce, discard: true }
  )
  const cause = yield* round.end
  if (cause !== null) return yield* new LakeError({ step: `Write the records of ${gameId} below ${folder}`, cause })
}, Effect.scoped)

const acceptAgain = Effect.fnUntraced(function* (
  extraction: Extraction,
  page: RawPage,
  words = readingWords(chooseDialect(extraction))
) {
  const folder = (yield* Home).raw(extraction.gameId, extraction.runId)
  const bytes = yield* readRawPage(folder, page)
  const parsed = parsePage(
    { ...openRawPage(extraction, page, bytes), dialect: words.parsedIn(page.kind) },
    () => () => {}
  )
  if (parsed._tag === "parsed") return { ...page, bytes, parsed, file: undefined }
  return yield* new RawPageDamaged({
    file: join(folder, page.file),
    reason: "what" in parsed ? parsed.what : "it is too large"
  })
})

/** Returns how many refused records the current contract still refuses. Reads only their pages. */
export const stillRefused = Effect.fn("stillRefused")(function* (extraction: Extraction) {
  const pages = extraction.pages.filter((page) => page.refused > 0)
  const counts = yield* Effect.forEach(pages, (page) =>
    isFeedPage(page)
      ? Effect.map(parseStored(countRound, extraction, { page }), ({ refused }) => refused)
      : Effect.map(acceptAgain(extraction, page), ({ parsed }) => parsed.refusals.length)
  )
  return counts.reduce((sum, count) => sum + count, 0)
})

/**
 * Creates a complete new reading of run `runId` from the same pages. Checks every record against the current contract
 * in `dialect` (null: the dialect detected in the pages).
 */
export const reacceptExtraction = Effect.fn("reacceptExtraction")(function* (
  extraction: Extraction,
  runId: RunId,
  dialect: Dialect | null
) {
  const { gameId } = extraction
  const files = yield* makeRawFiles((yield* Home).raw(gameId, runId))
  const { note, pages, unknownKeys } = roundNotes(files)
  const words = readingWords(dialect)
  yield* files.startRound(extraction.rounds, extraction.deploymentId, extraction.startedAt)
  const fit = (page: RawPage, spoken: DetectedNames) => {
    const fault = words.fault(page.file, spoken)
    if (fault === null) return Effect.void
    const { isOfFile, says, shown } = fault
    const next = isOfFile
      ? `The mapping file does not match: ${dialectAdvice(true)}`
      : shown === null
        ? `Read the game again with: cardlake nightly ${shellWord(gameId)}`
        : `Name their dialect with --dialect ${shown}, or detect it with --dialect auto`
    return Effect.fail(
      new Fault(
        "OtherWords",
        `The raw pages of ${gameId} cannot be read in this dialect: ${says}. ${next}. Nothing was changed`
      )
    )
  }
  for (const page of extraction.pages) {
    if (isFeedPage(page)) {
      const { drifted, refusals, refused, spoken, unknownKeys } = yield* parseStored(countRound, extraction, {
        page,
        dialect: words.parsedIn(page.kind)
      })
      yield* fit(page, spoken)
      const { drifted: _, ...rest } = page
      const feed = { ...page.feed, run: page.feed.run ?? extraction.runId }
      yield* note({ raw: { ...rest, refused, ...(drifted > 0 ? { drifted } : {}), feed }, refusals, unknownKeys })
      continue
    }
    const again = yield* acceptAgain(extraction, page, words)
    yield* fit(page, again.parsed.spoken)
    const raw = yield* files.storePage(page.kind, parsePageNumber(page.file), again)
    const { refusals, unknownKeys: keys } = again.parsed
    yield* note({ raw, refusals: refusalLines(raw.file, refusals), unknownKeys: keys })
  }
  const read = words.dialect()
  const { dialect: _, dialectFile: __, ...rest } = extraction
  const whole: Extraction = {
    ...(read === null ? extraction : rest),
    runId,
    ...pickFacts({ dialect: read, pages, resumedPages: extraction.resumedPages ?? 0, unknownKeys })
  }
  yield* files.finish(whole)
  return whole
}, Effect.scoped)
