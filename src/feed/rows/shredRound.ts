import { rm } from "node:fs/promises"
import { Effect, type Scope } from "effect"
import { isObject } from "./isObject.ts"
import { askThread, beginRound, endRound, leaveRound, mayStayHere, usualThreads } from "./pageThreads.ts"
import type { PageKind } from "../contract/records.ts"
import { type Parsed, parsePage, type SentPage } from "./parsePage.ts"

/** Pages of a round that this thread parses itself, before it knows how many there are. */
const pagesHere = 8
const maxBytesHere = 65_536

/** Two other threads load and compile their code for as long as this one takes for a list of so many records. */
const recordsHere = 25_000

/** How many records the list of a page has; 0 if the page does not say. */
const totalOf = (pagination: unknown): number =>
  isObject(pagination) && typeof pagination["total"] === "number" ? pagination["total"] : 0

/** Where the records of a reading go: files of rows below `folder`, a folder a table. */
export interface Batches {
  readonly folder: string
  /** Whether all records of the round that ended last are there. */
  isWhole: boolean
}

/** The pages of one round on their way to rows. */
export interface PageRound {
  /** Fails, in words, if the thread that parsed the page crashed. */
  readonly parse: (page: SentPage) => Effect.Effect<Parsed, string>
  /** Writes the rows that are still held. Says why some are missing; null if none are. */
  readonly end: Effect.Effect<string | null>
}

/** Parses pages on this thread and keeps nothing but what was counted and refused. */
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
  yield* Effect.promise(() => rm(folder, { recursive: true, force: true }))
  const parse = (page: SentPage) => {
    const isShort = page.expects !== null && (totals.get(page.kind) ?? 0) <= recordsHere && mayStayHere()
    const isSmall = (pages < pagesHere || isShort) && page.bytes.length <= maxBytesHere && !page.mayBeLarge
    pages += 1
    return Effect.flatMap(
      Effect.promise(() => askThread({ _tag: "parse", folder, page }, isSmall ? 0 : maxThreads)),
      (done) => {
        if (done._tag !== "parsed") return Effect.fail(done.cause ?? "it gave no answer")
        const { parsed } = done
        if (parsed._tag === "parsed") totals.set(page.kind, totalOf(parsed.pagination))
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

/** Where the rows of each feed file are below a game's batches, apart: each file is shredded by itself, and again by itself. */
export const feedFolders = {
  lists: "feed-lists",
  catalog: "feed-catalog",
  feedExpansions: "feed-expansions",
  prices: "feed-prices"
} as const
