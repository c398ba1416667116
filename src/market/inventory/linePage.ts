import { Effect } from "effect"
import { pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/refusals.ts"
import { originOf } from "../answers/plainRequest.ts"
import { ownState } from "../state/answerOnce.ts"
import { type LineFilter, lineFilter } from "./lineFilter.ts"
import { lineOf, selectLines, type ShownRow } from "./LineRow.ts"

const prefix = "line:"
const cursorOf = (id: string): string => Buffer.from(prefix + id).toString("base64url")

/** The line that a cursor names; undefined for any other text. */
const idOfCursor = (cursor: string): string | undefined => {
  const text = Buffer.from(cursor, "base64url").toString()
  const id = text.slice(prefix.length)
  return text.startsWith(prefix) && /^[0-9a-f]{24}$/.test(id) && cursorOf(id) === cursor ? id : undefined
}

/** Filters of the lists, which ask for one condition, language, finish and location each. */
interface ListQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly productId?: ReadonlyArray<number>
  readonly condition?: NonNullable<LineFilter["condition"]>[number]
  readonly language?: string
  readonly finish?: string
  readonly location?: string
  readonly tags?: ReadonlyArray<string>
  readonly game?: string
  readonly forSale?: boolean
  readonly graded?: boolean
  readonly customId?: string
  readonly customIdPrefix?: string
  readonly customIdContains?: string
  readonly commentContains?: string
}

const filterOf = (query: ListQuery): LineFilter => {
  const { limit: _limit, cursor: _cursor, productId, condition, finish, language, location, tags, ...same } = query
  return {
    ...same,
    ...(productId === undefined ? {} : { productIds: productId }),
    ...(condition === undefined ? {} : { condition: [condition] }),
    ...(finish === undefined ? {} : { finish: [finish] }),
    ...(language === undefined ? {} : { language: [language] }),
    ...(location === undefined ? {} : { location: { op: "or", values: [location] } }),
    ...(tags === undefined ? {} : { tags: { op: "or", values: tags } })
  }
}

/**
 * One page of the caller's lines by id. An id never changes and a new one is greater, so that a sweep repeats
 * and skips nothing that is there throughout. Fails with 400 for a cursor that is none. Spec: cursor pagination.
 */
export const linePage = Effect.fnUntraced(function* (query: ListQuery) {
  const { accountId, store } = yield* ownState
  const origin = yield* originOf
  const limit = query.limit ?? pageLimits.cursor.default
  const after = query.cursor === undefined ? "" : idOfCursor(query.cursor)
  if (after === undefined) return yield* badRequest("cursor", "is not a cursor of this list")
  const { sql, values } = lineFilter(accountId, filterOf(query))
  const rows = store.all<ShownRow>(`${selectLines} where ${sql} and line.id > :after order by line.id limit :rows`, {
    ...values,
    after,
    rows: limit + 1
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map((row) => lineOf(row, origin)),
    pagination: { nextCursor: last === undefined ? null : cursorOf(last.id) }
  }
})
