import { Result, Schema } from "effect"
import { CursorPage, OffsetPage, pageLimits } from "../contract/Paging.ts"
import { type NotOurJson, readJson } from "./OpenFault.ts"
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

const cursorPage = readJson(CursorPage(Schema.Unknown), "a page of a cursor list")
const offsetPage = readJson(OffsetPage(Schema.Unknown), "a page of an offset list")
const endsEmpty = Schema.is(Schema.Struct({ pagination: Schema.Struct({ nextCursor: Schema.Literal("") }) }))

/** A page of a cursor list, with at most this many records. An empty cursor ends the list, as null does. */
export const readCursorPage =
  (most: number) =>
  (json: unknown): Result.Result<PageContent<CursorPagination>, NotOurJson | string> => {
    const many = tooMany(json, most)
    if (many !== null) return Result.fail(many)
    return cursorPage(endsEmpty(json) ? { ...json, pagination: { nextCursor: null } } : json)
  }
/** The page of an offset list at this offset. */
export const readOffsetPage =
  (offset: number) =>
  (json: unknown): Result.Result<PageContent<OffsetPagination>, NotOurJson | string> => {
    const many = tooMany(json, pageLimits.offset.max)
    if (many !== null) return Result.fail(many)
    return Result.flatMap(offsetPage(json), (page) =>
      page.pagination.offset === offset
        ? Result.succeed(page)
        : Result.fail(`it is the page at offset ${page.pagination.offset}`)
    )
  }
