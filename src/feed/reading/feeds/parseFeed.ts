import { Effect, Semaphore, Stream } from "effect"
import { Disk } from "../../disk/Disk.ts"
import { takeLargePageLock, withLargePageLock } from "../../client/RawBody.ts"
import { maxFeedBytes } from "../../client/otherCalls.ts"
import type { Dialect } from "../../contract/dialect/dialects.ts"
import type { FeedKind } from "../../contract/records.ts"
import type { ParsedPage, SentPage } from "../../rows/parsePage.ts"
import { refusalLines } from "../../rows/acceptPage.ts"
import type { PageRound } from "../../rows/shredRound.ts"
import { noNames, type DetectedNames } from "../../rows/detectDialect.ts"
import { IdList } from "../census.ts"
import { maxRefusals } from "../RawFiles.ts"
import { type LinePage, linePages, type LongLine, maxLineBytes, type UnpackedFile } from "./linePages.ts"

/** The maximum number of pages in memory, enough for every thread. */
const pagesAtOnce = 8

/** The maximum number of files cut into pages at once, of all games. More is not faster, and each needs memory. */
const files = Semaphore.makeUnsafe(4)

/** The maximum number of characters of refused records that are stored per file. */
const maxRefusedLength = 64_000_000

/** Maximum unpacked size of a feed file. Real ones have 800 bytes a record and nine times their packed size. */
export const maxUnpackedBytes = (records: number, packedBytes: number): number =>
  Math.min(maxFeedBytes, (1024 + records) * 16 * 1024, 64 * 1024 * 1024 + packedBytes * 100)

const tooLong = `The line is longer than ${maxLineBytes / 1024 / 1024} MB`

/** Returns a page's refusals, with the reason for lines that were too long. */
const explainRefusals = ({ refusals }: ParsedPage, long: ReadonlyArray<LongLine>): ParsedPage["refusals"] => {
  if (long.length === 0) return refusals
  const heads = new Map(long.map(({ head, index }) => [index, head]))
  return refusals.map((refusal) => {
    const raw = heads.get(refusal.index)
    return raw === undefined ? refusal : { ...refusal, reason: tooLong, raw }
  })
}

export interface ParsedFeed extends UnpackedFile {
  readonly records: number
  readonly refused: number
  readonly drifted: number
  /** The lines of the file of refusals, at most {@link maxRefusals}. */
  readonly refusals: ReadonlyArray<string>
  readonly unknownKeys: ReadonlyMap<string, number>
  /** The ids of its records; NaN if a record has none. */
  readonly ids: Float64Array
  readonly spoken: DetectedNames
}

const both = (a: DetectedNames, b: DetectedNames): DetectedNames => {
  if (b.words.length === 0) return a
  return a.words.length === 0
    ? b
    : {
        fits: a.fits.filter((name) => b.fits.includes(name)),
        words: b.words.every((word) => a.words.includes(word)) ? a.words : [...new Set([...a.words, ...b.words])]
      }
}

const whyNot = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (code === "Z_BUF_ERROR") return "it ends in the middle"
  if (code.startsWith("Z_")) return `it cannot be unpacked, ${code}`
  return cause instanceof Error ? cause.message : String(cause)
}

interface FeedToParse {
  readonly file: string
  readonly maxBytes: number
  readonly kind: FeedKind
  readonly gameId: string
  /** The name of the file in refusals. */
  readonly name: string
  readonly dialect: Dialect | null
  readonly leftOut?: ReadonlyArray<number>
  readonly onPage?: (records: number) => void
}

const parseLines = Effect.fnUntraced(function* (
  round: PageRound,
  { dialect, gameId, kind, leftOut = [] }: FeedToParse,
  { first, free, json, lines, long }: LinePage
) {
  const place = leftOut.filter((at) => at >= first && at < first + lines).map((at) => at - first)
  const page: SentPage = {
    kind,
    gameId,
    dialect,
    number: first,
    bytes: json,
    encoding: undefined,
    mayBeLarge: false,
    key: "",
    expects: null,
    leftOut: place
  }
  let parsed = yield* round.parse(page)
  if (parsed._tag === "large") {
    yield* takeLargePageLock
    parsed = yield* round.parse({ ...page, mayBeLarge: true })
  }
  free()
  const isWhole = parsed._tag === "parsed" && parsed.received === lines
  if (!isWhole) return yield* Effect.fail(`lines ${first + 1} to ${first + lines} are not all JSON`)
  const whole = parsed as ParsedPage
  return { first, parsed: whole, found: explainRefusals(whole, long) }
}, withLargePageLock)

/** Sends a feed file's records to `round`, checked, 200 at a time. Skips lines in `leftOut`. Fails with a text. */
export const parseFeed = Effect.fnUntraced(function* (
  round: PageRound,
  of: FeedToParse
): Effect.fn.Return<ParsedFeed, string> {
  const { file, maxBytes, name, onPage = () => {} } = of
  const disk = yield* Disk
  let unpacked: UnpackedFile | null = null
  let records = 0
  let refused = 0
  let drifted = 0
  let left = maxRefusedLength
  let spoken = noNames
  const refusals: Array<string> = []
  const unknownKeys = new Map<string, number>()
  const ids = new IdList()
  yield* Stream.fromAsyncIterable(
    linePages(
      () => disk.readStream(file, 256 * 1024),
      maxBytes,
      (whole) => void (unpacked = whole)
    ),
    whyNot
  ).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((page) => parseLines(round, of, page), { concurrency: pagesAtOnce }),
    Stream.runForEach(({ first, found, parsed }) =>
      Effect.sync(() => {
        records += parsed.received
        refused += found.length
        drifted += parsed.drifted
        spoken = both(spoken, parsed.spoken)
        for (const id of parsed.ids) ids.push(id)
        for (const [key, count] of parsed.unknownKeys) unknownKeys.set(key, (unknownKeys.get(key) ?? 0) + count)
        const placed = found.map((refusal) => ({ ...refusal, index: refusal.index + first }))
        for (const line of refusalLines(name, placed)) {
          if (refusals.length < maxRefusals && left > 0) refusals.push(line)
          left -= line.length
        }
        onPage(records)
      })
    )
  )
  if (unpacked === null) return yield* Effect.fail("it was not read to its end")
  const whole: UnpackedFile = unpacked
  return { ...whole, records, refused, drifted, refusals, unknownKeys, ids: ids.all(), spoken }
}, files.withPermit)
