import { join } from "node:path"
import { isThere, removeAll } from "../../home/disk.ts"
import { Effect, Stream } from "effect"
import { takeLargePageLock, withLargePageLock } from "../../../feed/client/RawBody.ts"
import type { Extraction, RawPage } from "../../../feed/reading/Extraction.ts"
import type { Refusal } from "../../../feed/rows/acceptPage.ts"
import { readRefusals } from "../../../feed/reading/readExtraction.ts"
import { Home } from "../../home/Home.ts"
import { feedFolders, type PageRound, shredRound } from "../../../feed/rows/shredRound.ts"
import { isFeedPage, type FeedPage } from "../../../feed/reading/feeds/usedFeeds.ts"
import { LakeError } from "../../../feed/reading/LakeError.ts"
import { RawPageDamaged, openRawPage, readRawPage, rawFeedPath } from "./readRawPage.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import { chooseDialect } from "../../../feed/contract/dialect/DialectFile.ts"
import type { FeedKind } from "../../../feed/contract/records.ts"
import { parseFeed } from "../../../feed/reading/feeds/parseFeed.ts"

const recordsDiffer = (page: string, { before, first, now }: { before: number; first: string; now: number }) =>
  new Fault(
    "RecordsDiffer",
    `${before} records of ${page} were refused when it was read, and ${now} are now (${first}), so its snapshot cannot be rebuilt as it was. Use the version of Cardlake that made it, or read the game again: cardlake nightly`
  )

/** Shreds a reading's stored feed file. Omits refused lines, as for pages. */
const shredFeed = Effect.fnUntraced(function* (
  extraction: Extraction,
  page: FeedPage,
  { folder, leftOut }: { readonly folder: string; readonly leftOut: ReadonlyArray<number> }
) {
  const { gameId } = extraction
  const kind = page.kind as FeedKind
  const file = rawFeedPath(yield* Home, extraction, page)
  const damaged = (reason: string) => new RawPageDamaged({ file, reason })
  if (!isThere(file)) return yield* damaged("it is missing")
  const lines = { folder: join(folder, feedFolders[kind]), isWhole: false }
  const round = yield* shredRound(lines)
  const dialect = chooseDialect(extraction)
  const parsed = yield* Effect.mapError(
    parseFeed(round, { file, maxBytes: page.sizeBytes, kind, gameId, name: page.file, dialect, leftOut }),
    damaged
  )
  if (parsed.checksum !== page.feed.checksum) return yield* damaged("its checksum has changed since it was read")
  const cause = yield* round.end
  if (cause !== null) return yield* new LakeError({ step: `Write the records of ${file}`, cause })
  if (parsed.refused <= page.refused) return
  const found = parsed.refusals.map((line) => JSON.parse(line) as Pick<Refusal, "index" | "reason">)
  const first = found.find(({ index }) => !leftOut.includes(index))
  const what = first === undefined ? "a line" : `line ${first.index + 1}: ${first.reason}`
  return yield* recordsDiffer(file, { before: page.refused, now: parsed.refused, first: what })
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
