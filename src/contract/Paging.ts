import { Schema } from "effect"
import { Count } from "./Catalogue.ts"

/** Page sizes of the two paginations. Spec: Limits. */
export const pageLimits = {
  cursor: { default: 50, max: 100 },
  offset: { default: 50, max: 200 }
} as const

/** Opaque position in a list; passed back verbatim, never parsed. Spec: Endpoints, cursor pagination. */
export const Cursor = Schema.NonEmptyString

const limit = (max: number) => Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })))

/** `limit` and `cursor` of a cursor list. Spec: Endpoints, cursor pagination. */
export const cursorQuery = { limit: limit(pageLimits.cursor.max), cursor: Schema.optionalKey(Cursor) }

/** `limit` and `offset` of an offset list. Spec: Endpoints, offset pagination. */
export const offsetQuery = { limit: limit(pageLimits.offset.max), offset: Schema.optionalKey(Count) }

/** Page of a cursor list; `nextCursor` is null on the last one. Spec: Endpoints, cursor pagination. */
export const CursorPage = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), pagination: Schema.Struct({ nextCursor: Schema.NullOr(Cursor) }) })

/** Pagination of an offset list; `total` counts the filtered set. Spec: Endpoints, offset pagination. */
export const OffsetPagination = Schema.Struct({
  offset: Count,
  limit: Schema.Int,
  total: Count,
  hasMore: Schema.Boolean
})

/** Page of an offset list. Spec: Endpoints, offset pagination. */
export const OffsetPage = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), pagination: OffsetPagination })
