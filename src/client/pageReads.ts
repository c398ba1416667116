import { Result, Schema } from "effect"
import { CursorPage, OffsetPage, pageLimits } from "../contract/Paging.ts"
import { NotOurJson } from "./OpenFault.ts"
import { tooMany } from "./tooMany.ts"

/** Pagination of the two kinds of list; null for the unpaginated one. */
export interface OffsetPagination {
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly hasMore: boolean
}
export interface CursorPagination {
  readonly nextCursor: string | null
}

/** The records and the pagination of a page's JSON. */
export interface PageContent<Pagination> {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: Pagination
}

const isCursorPage = Schema.is(CursorPage(Schema.Unknown))
const isOffsetPage = Schema.is(OffsetPage(Schema.Unknown))

/** A page of a cursor list, with at most this many records. */
export const readCursorPage =
  (most: number) =>
  (json: unknown): Result.Result<PageContent<CursorPagination>, NotOurJson | string> => {
    const many = tooMany(json, most)
    if (many !== null) return Result.fail(many)
    return isCursorPage(json)
      ? Result.succeed(json)
      : Result.fail(new NotOurJson("its JSON is not a page of a cursor list"))
  }
/** The page of an offset list at this offset. */
export const readOffsetPage =
  (offset: number) =>
  (json: unknown): Result.Result<PageContent<OffsetPagination>, NotOurJson | string> => {
    const many = tooMany(json, pageLimits.offset.max)
    if (many !== null) return Result.fail(many)
    if (!isOffsetPage(json)) return Result.fail(new NotOurJson("its JSON is not a page of an offset list"))
    return json.pagination.offset === offset
      ? Result.succeed(json)
      : Result.fail(`it is the page at offset ${json.pagination.offset}`)
  }
