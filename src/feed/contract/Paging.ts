import { Schema, SchemaAST } from "effect"
import { Count } from "./Catalogue.ts"

/** Page sizes of the two paginations. Spec: Limits. */
export const pageLimits = { cursor: { default: 50, max: 100 }, offset: { default: 50, max: 200 } } as const

/** A hundred times the largest game: a list or file that claims more may never end, so it is not read. */
export const maxRecords = 20_000_000

/** Opaque position in a list; passed back verbatim, never parsed. Spec: Endpoints, cursor pagination. */
export const Cursor = Schema.NonEmptyString.annotate({
  description: "Position in the list, from the last answer's `pagination.nextCursor`; without it, the first page."
})

const pageSize = ({ max }: { readonly max: number }) => Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max }))
const limit = (bounds: { readonly default: number; readonly max: number }) =>
  Schema.optionalKey(pageSize(bounds).annotate({ description: "Items of a page.", default: bounds.default }))

/** `limit` and `cursor` of a cursor list. Spec: Endpoints, cursor pagination. */
export const cursorQuery = { limit: limit(pageLimits.cursor), cursor: Schema.optionalKey(Cursor) }

/** `limit` and `offset` of an offset list. Spec: Endpoints, offset pagination. */
export const offsetQuery = {
  limit: limit(pageLimits.offset),
  offset: Schema.optionalKey(Count.annotate({ description: "Items to skip.", default: 0 }))
}

/** The same in a body, without `default`: generators make a property that has one a required one. */
export const offsetBody = {
  limit: Schema.optionalKey(
    pageSize(pageLimits.offset).annotate({ description: `Items of a page, ${pageLimits.offset.default} by default.` })
  ),
  offset: Schema.optionalKey(Count.annotate({ description: "Items to skip, 0 by default." }))
}

const nextWords = { title: "CursorPagination", description: "`nextCursor` is null on the last page." }

/** A page is named after what is in it: `SalePage`. */
const pageTitle = (item: Schema.Top, word: string) => {
  const title = SchemaAST.resolveTitle(item.ast)
  return title === undefined ? {} : { title: `${title}${word}` }
}

/** Page of a cursor list; `nextCursor` is null on the last one. Spec: Endpoints, cursor pagination. */
export const CursorPage = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    pagination: Schema.Struct({ nextCursor: Schema.NullOr(Schema.NonEmptyString) }).annotate(nextWords)
  }).annotate(pageTitle(item, "Page"))

/** Pagination of an offset list; `total` counts the filtered set. Spec: Endpoints, offset pagination. */
export const OffsetPagination = Schema.Struct({
  offset: Count,
  limit: Schema.Int,
  total: Count,
  hasMore: Schema.Boolean
}).annotate({
  title: "OffsetPagination",
  description:
    "`offset` and `limit` as asked for; `total` counts the filtered set; `hasMore`: there are items beyond this page."
})

/** Page of an offset list. Spec: Endpoints, offset pagination. */
export const OffsetPage = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), pagination: OffsetPagination }).annotate(pageTitle(item, "List"))
