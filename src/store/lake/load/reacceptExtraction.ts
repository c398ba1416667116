import { join } from "node:path"
import { Effect } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { chooseDialect } from "../../../feed/contract/dialect/DialectFile.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { type Extraction, pickFacts, type RawPage } from "../../../feed/reading/Extraction.ts"
import type { FeedKind } from "../../../feed/contract/records.ts"
import { parseFeed } from "../../../feed/reading/feeds/parseFeed.ts"
import { type FeedPage, isFeedPage } from "../../../feed/reading/feeds/usedFeeds.ts"
import { makeRawFiles, roundNotes } from "../../../feed/reading/RawFiles.ts"
import { readingWords, dialectAdvice } from "../../../feed/reading/readingWords.ts"
import { parsePage } from "../../../feed/rows/parsePage.ts"
import type { DetectedNames } from "../../../feed/rows/detectDialect.ts"
import { refusalLines } from "../../../feed/rows/acceptPage.ts"
import { countRound } from "../../../feed/rows/shredRound.ts"
import { Home } from "../../home/Home.ts"
import { parsePageNumber, rawFeedPath, openRawPage, RawPageDamaged, readRawPage } from "./readRawPage.ts"

/** Checks a feed file against the current contract; does not move its raw file. */
const acceptFeedAgain = Effect.fnUntraced(function* (
  extraction: Extraction,
  page: FeedPage,
  words = readingWords(chooseDialect(extraction))
) {
  const file = rawFeedPath(yield* Home, extraction, page)
  const { gameId } = extraction
  const dialect = words.parsedIn(page.kind)
  const of = { file, maxBytes: page.sizeBytes, kind: page.kind as FeedKind, gameId, name: page.file, dialect }
  const damaged = (reason: string) => new RawPageDamaged({ file, reason })
  const parsed = yield* Effect.mapError(parseFeed(countRound, of), damaged)
  if (parsed.checksum !== page.feed.checksum) return yield* damaged("its checksum has changed since it was read")
  return parsed
})

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
      ? Effect.map(acceptFeedAgain(extraction, page), ({ refused }) => refused)
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
      const { drifted, refusals, refused, spoken, unknownKeys } = yield* acceptFeedAgain(extraction, page, words)
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
