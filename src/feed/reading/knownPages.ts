import { hash } from "node:crypto"
import { Effect } from "effect"
import type { Dialect } from "../contract/dialect/dialects.ts"
import type { OffsetList } from "../client/offsetLists.ts"
import type { OpenPage, OffsetPagination, PageContent } from "../client/pageCalls.ts"
import type { Answer } from "../client/RawBody.ts"
import { noNames } from "../rows/detectDialect.ts"
import type { RawPage } from "./Extraction.ts"
import type { ParsedBody } from "./openWith.ts"
import { isDeepStrictEqual } from "node:util"
import { isObject } from "../rows/isObject.ts"
import { hasTooManyKeys } from "../rows/splitUnknownKeys.ts"

/** The pages of a published reading by request, with their deployment and dialect. */
export interface KnownPages {
  readonly deploymentId: string | null
  readonly dialect: Dialect
  readonly pages: ReadonlyMap<string, RawPage>
  /** The page that listed the games. The current list has an identical record of this game. */
  readonly games: RawPage
}

type OpenOffsetPage = OpenPage<OffsetPagination, ParsedBody<OffsetPagination>>

/** Compares a round with the published reading. The round began while the deployment `head` was live. */
export const knownRound = (published: KnownPages | null, head: string | null) => {
  let isSame = published !== null && published.deploymentId === head
  const knownPage = ({ bytes, request }: Answer): RawPage | null => {
    const page = isSame ? published?.pages.get(request) : undefined
    isSame = page !== undefined && page.sha256 === hash("sha256", bytes, "hex")
    return isSame && page !== undefined ? page : null
  }
  /**
   * Returns a function that opens pages of a list. Pages of products remain unopened while the round equals the
   * published one, because most likely nothing has changed. The first is opened: it has the pagination of all others.
   */
  const opener = (list: OffsetList, open: OpenOffsetPage): OpenOffsetPage => {
    let first: OffsetPagination | null = null
    return (answer, call, secret) => {
      const known = knownPage(answer)
      if (known !== null && first !== null && list === "products") {
        return Effect.succeed(unopened(answer, known, { ...first, offset: call.expects }))
      }
      return Effect.tap(open(answer, call, secret), ({ pagination }) => Effect.sync(() => (first ??= pagination)))
    }
  }
  /** Compares the list of games. The list's unknown keys count for every game, so it must be identical. */
  const listed = (page: RawPage) => {
    const { games = page } = published ?? {}
    if ((hasDeviations(page) || hasDeviations(games)) && page.sha256 !== games.sha256) isSame = false
  }
  /** `isSame` is true if every page so far equals a published one, byte for byte. */
  return { isSame: () => isSame, listed, opener }
}

export const hasDeviations = ({ drifted = 0, refused }: RawPage): boolean => refused + drifted > 0

const unopened = (
  { bytes, file, request, requestId }: Answer,
  { drifted = 0, records, refused, sizeBytes }: RawPage,
  { limit, offset, total }: OffsetPagination
): ParsedBody<OffsetPagination> => {
  const pagination = { offset, limit, total, hasMore: offset + limit < total }
  const counted = { received: records, accepted: records - refused, refusals: [], unknownKeys: new Map(), drifted }
  const parsed = { _tag: "parsed", gzip: true, sizeBytes, pagination, ids: [], spoken: noNames, ...counted } as const
  return {
    request,
    requestId,
    sentBytes: bytes.length,
    received: records,
    pagination,
    bytes,
    file,
    parsed,
    isLeft: true
  }
}

/** True for an object that is cheap to copy: copying millions of keys takes a minute. */
const isCopied = (value: unknown): value is Record<string, unknown> => isObject(value) && !hasTooManyKeys(value)

/** Returns the blocks without live listings, which change all the time. */
const settledBlocks = (blocks: unknown, { marketplace }: Dialect["blocks"]): unknown => {
  if (!isCopied(blocks)) return blocks
  const { [marketplace]: _, ...settled } = blocks
  return settled
}

/** Returns the finishes without those that have only live listings, because they appear and vanish with them. */
const settledFinishes = (byFinish: Record<string, unknown>, words: Dialect["blocks"]) =>
  Object.fromEntries(
    Object.entries(byFinish).flatMap(([finish, blocks]) => {
      const left = settledBlocks(blocks, words)
      return isCopied(left) && Object.keys(left).length === 0 ? [] : [[finish, left]]
    })
  )

const settled = (record: unknown, words: Dialect["blocks"]): unknown => {
  if (!isCopied(record)) return record
  const { availability: _, prices, pricesByFinish, ...rest } = record
  const byFinish = isCopied(pricesByFinish) ? settledFinishes(pricesByFinish, words) : pricesByFinish
  return { ...rest, prices: settledBlocks(prices, words), byFinish }
}

/** Compares two records. Those with too many keys or too much nesting are refused anyway, so they count as equal. */
const isSame = (before: unknown, after: unknown, { blocks }: Dialect): boolean => {
  if (hasTooManyKeys(before) && hasTooManyKeys(after)) return true
  try {
    return isDeepStrictEqual(settled(before, blocks), settled(after, blocks))
  } catch (cause) {
    if (cause instanceof RangeError) return true
    throw cause
  }
}

/** The maximum number of pages that are requested again at the end of a reading. */
const maxProbes = 5

/** The pages to request again, from 0: all of a short list; else the first, the last and some between. */
export const probedPages = (pages: number): ReadonlyArray<number> =>
  pages <= maxProbes
    ? Array.from({ length: pages }, (_, page) => page)
    : Array.from({ length: maxProbes }, (_, probe) => Math.round((probe * (pages - 1)) / (maxProbes - 1)))

/**
 * True if two readings of a page differ in more than live listings. The feed was then deployed in between, even if its
 * changelog lacks it. Equal pages prove nothing about other pages.
 */
export const pageMoved = (
  before: PageContent<OffsetPagination>,
  after: PageContent<OffsetPagination>,
  dialect: Dialect
): boolean =>
  before.pagination.total !== after.pagination.total ||
  before.data.length !== after.data.length ||
  before.data.some((record, index) => !isSame(record, after.data[index], dialect))
