import { Effect, type Scope } from "effect"
import { withDisk } from "../disk/Disk.ts"
import { isObject } from "./isObject.ts"
import { askThread, beginRound, endRound, leaveRound, mayStayHere, usualThreads } from "./pageThreads.ts"
import type { PageKind } from "../contract/records.ts"
import { type Parsed, parsePage, type SentPage } from "./parsePage.ts"

/** The number of pages that this thread parses before the number of pages is known. */
const pagesHere = 8
const maxBytesHere = 65_536

/** The number of records that this thread parses while two other threads load and compile their code. */
const recordsHere = 25_000

/** Returns the total number of records of a page's list; 0 if the page does not state it. */
const readTotal = (pagination: unknown): number =>
  isObject(pagination) && typeof pagination["total"] === "number" ? pagination["total"] : 0

/** The files of rows below `folder`, with one folder per table. */
export interface Batches {
  readonly folder: string
  /** True if the files have all records of the last round. */
  isWhole: boolean
}

/** The pages of one round on their way to rows. */
export interface PageRound {
  /** Parses a page. Fails with a message if its thread crashed. */
  readonly parse: (page: SentPage) => Effect.Effect<Parsed, string>
  /** Writes the buffered rows. Returns the reason if some are missing, else null. */
  readonly end: Effect.Effect<string | null>
}

/** Parses pages on this thread and keeps only counts and refusals. */
export const countRound: PageRound = {
  parse: (page) => Effect.sync(() => parsePage(page, () => () => {})),
  end: Effect.succeed(null)
}

/**
 * Parses the pages of a round on other threads (`threadWork.ts` is what they do) and shreds their records into
 * `batches`, which it empties first. `maxThreads`: 0 = only this one.
 */
export const shredRound = Effect.fnUntraced(function* (
  batches: Batches,
  maxThreads = usualThreads
): Effect.fn.Return<PageRound, never, Scope.Scope> {
  const { folder } = batches
  let pages = 0
  const totals = new Map<PageKind, number>()
  batches.isWhole = false
  yield* Effect.acquireRelease(
    Effect.promise(() => beginRound(folder)),
    () => Effect.promise(() => leaveRound(folder))
  )
  yield* withDisk((disk) => disk.remove(folder))
  const parse = (page: SentPage) => {
    const isShort = page.expects !== null && (totals.get(page.kind) ?? 0) <= recordsHere && mayStayHere()
    const isSmall = (pages < pagesHere || isShort) && page.bytes.length <= maxBytesHere && !page.mayBeLarge
    pages += 1
    return Effect.flatMap(
      Effect.promise(() => askThread({ _tag: "parse", folder, page }, isSmall ? 0 : maxThreads)),
      (done) => {
        if (done._tag !== "parsed") return Effect.fail(done.cause ?? "it gave no answer")
        const { parsed } = done
        if (parsed._tag === "parsed") totals.set(page.kind, readTotal(parsed.pagination))
        return Effect.succeed(parsed)
      }
    )
  }
  const end = Effect.map(
    Effect.promise(() => endRound(folder)),
    (cause) => {
      batches.isWhole = cause === null
      return cause
    }
  )
  return { parse, end }
})

/** The folder of each feed file's rows below a game's batches. Each file is shredded and retried separately. */
export const feedFolders = {
  lists: "feed-lists",
  catalog: "feed-catalog",
  feedExpansions: "feed-expansions",
  prices: "feed-prices"
} as const
