import { isDeepStrictEqual } from "node:util"
import type { OffsetPagination, PageContent } from "../client/pageCalls.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { isObject } from "../rows/isObject.ts"
import { hasTooManyKeys } from "../rows/splitUnknownKeys.ts"

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
