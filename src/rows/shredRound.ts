import { hash } from "node:crypto"
import { rm } from "node:fs/promises"
import { Effect, type Scope } from "effect"
import { isObject } from "./isObject.ts"
import { askThread, beginRound, endRound, leaveRound, mayStayHere, ThreadCount } from "./pageThreads.ts"
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

/** The pages of a reading whose records were all accepted, by their sums, and the deployment that they belong to. */
export interface KnownPages {
  readonly deploymentId: string | null
  readonly sums: ReadonlySet<string>
}

/** Where the records of a reading go: files of rows below `folder`, a folder a table. */
export interface Batches {
  readonly folder: string
  /** What was published last; null = nothing, or made by another program. */
  readonly known: KnownPages | null
  /** Whether all records of the round that ended last are there. */
  isWhole: boolean
  /** Whether rows get their hash: older snapshots have it. */
  readonly isHashed?: boolean
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
 * `batches`, which it empties first. `head` is the deployment that was live before the round.
 *
 * While every page of products is a known one, none is shredded: most likely nothing has changed. From the first
 * unknown page on they are; the skipped ones are then shredded from the raw pages, with all others.
 */
export const shredRound = Effect.fnUntraced(function* (
  batches: Batches,
  head: string | null
): Effect.fn.Return<PageRound, never, Scope.Scope> {
  const { folder, isHashed = false, known } = batches
  const maxThreads = yield* ThreadCount
  let pages = 0
  const totals = new Map<PageKind, number>()
  let isSame = known !== null && known.deploymentId === head
  let skipped = 0
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
    const isProducts = page.kind === "products"
    const isKnown = isProducts && isSame && known?.sums.has(hash("sha256", page.bytes)) === true
    if (isProducts && !isKnown) isSame = false
    if (isKnown) skipped += 1
    return Effect.flatMap(
      Effect.promise(() =>
        askThread({ _tag: "parse", folder, page: { ...page, isKnown }, isHashed }, isSmall ? 0 : maxThreads)
      ),
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
      batches.isWhole = cause === null && skipped === 0
      return cause
    }
  )
  return { parse, end }
})
