import { cursorPage } from "../answers/cursorPage.ts"
import { Effect, type Schema } from "effect"
import { type cursorQuery, pageLimits } from "../../feed/contract/Paging.ts"
import { badRequest } from "../answers/refusals.ts"
import { requestOrigin } from "../answers/wire.ts"
import { readCallerState } from "../state/answerOnce.ts"
import { type LineFilter, lineFilter, type Where } from "./lineFilter.ts"
import { showLine, selectLines, type ShownRow } from "./LineRow.ts"
import type { InventorySearch, InventoryFilters, lineFilters } from "../contract/inventory/inventoryOperations.ts"
import { limits } from "../contract/Limits.ts"
import type { Store } from "../state/State.ts"
import { chosenProducts, requestIds } from "../catalogue/productFilter.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"

const prefix = "line:"
const formatCursor = (id: string): string => Buffer.from(prefix + id).toString("base64url")

/** Returns the line id in a cursor; undefined for any other text. */
const idOfCursor = (cursor: string): string | undefined => {
  const text = Buffer.from(cursor, "base64url").toString()
  const id = text.slice(prefix.length)
  return text.startsWith(prefix) && /^[0-9a-f]{24}$/.test(id) && formatCursor(id) === cursor ? id : undefined
}

/** Query of the lists, with at most one condition, language, finish and location. */
type ListQuery = Schema.Struct<typeof cursorQuery & typeof lineFilters>["Type"]

const buildFilter = (query: ListQuery): LineFilter => {
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
 * Returns a page of the caller's lines by id. Ids never change and increase, so that a sweep neither repeats nor skips
 * a line that exists throughout. Fails with 400 for an invalid cursor. Spec: cursor pagination.
 */
export const linePage = Effect.fnUntraced(function* (query: ListQuery) {
  const { accountId, store } = yield* readCallerState
  const origin = yield* requestOrigin
  const limit = query.limit ?? pageLimits.cursor.default
  const after = query.cursor === undefined ? "" : idOfCursor(query.cursor)
  if (after === undefined) return yield* badRequest("cursor", "is not a cursor of this list")
  const { sql, values } = lineFilter(accountId, buildFilter(query))
  const rows = store.all<ShownRow>(`${selectLines} where ${sql} and line.id > :after order by line.id limit :rows`, {
    ...values,
    after,
    rows: limit + 1
  })
  const { next: nextCursor, shown } = cursorPage(rows, limit, ({ id }) => formatCursor(id))
  return { data: shown.map((row) => showLine(row, origin)), pagination: { nextCursor } }
})

/** Returns the conditions of a search or export, after a look-up of its product filters in the live catalogue. */
export const chosenLines = Effect.fnUntraced(function* (store: Store, accountId: string, filters: InventoryFilters) {
  const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters, ...rest } =
    filters
  const { productId, ...lines } = rest
  const given = { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory, gameFilters }
  const ofProducts = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const named = productId === undefined ? undefined : requestIds(productId).map(Number)
  if (Object.keys(ofProducts).length === 0) {
    return lineFilter(accountId, { ...lines, ...(named === undefined ? {} : { productIds: named }) })
  }
  const held = store
    .all<{ product_id: number }>("select distinct product_id from inventory_lines where account_id = :accountId", {
      accountId
    })
    .map(({ product_id }) => product_id)
  const searched = named === undefined ? held : held.filter((id) => named.includes(id))
  const where: Where = lineFilter(accountId, { ...lines, productIds: yield* chosenProducts(searched, ofProducts) })
  return where
})

type Sort = Pick<typeof InventorySearch.Type, "sortBy" | "sortDirection">

const sortColumns = { quantity: "line.quantity", listingPrice: "line.price_cents", lastModified: "line.updated_at" }

/**
 * Returns the end of a statement that selects the lines of a filter in an order, with its values. By name, the order is
 * that of their products' names in the live catalogue.
 */
const sortedLines = Effect.fnUntraced(function* (
  store: Store,
  { sql, values }: Where,
  { sortBy, sortDirection = "asc" }: Sort
) {
  if (sortBy === undefined) return { select: `${selectLines} where ${sql} order by line.id`, values }
  if (sortBy !== "name") {
    const order = `${sortColumns[sortBy]} ${sortDirection} nulls last, line.id`
    return { select: `${selectLines} where ${sql} order by ${order}`, values }
  }
  const held = store.all<{ id: number }>(
    `select distinct line.product_id as id from inventory_lines line where ${sql}`,
    values
  )
  const products = yield* soldProducts(held.map(({ id }) => String(id)))
  const names = Array.from(products.values(), ({ id, name }) => ({ id, name: name.toLowerCase() }))
  return {
    select: `with named (id, name) as materialized (
        select value ->> 'id', value ->> 'name' from json_each(:names)
      )
      ${selectLines} left join named on named.id = line.product_id
      where ${sql} order by named.name ${sortDirection} nulls last, line.id`,
    values: { ...values, names: JSON.stringify(names) }
  }
})

/** Returns a page of a search over the caller's lines. Ours never lags. Beyond the spec: section 10. */
export const searchLines = Effect.fnUntraced(function* ({
  limit = pageLimits.offset.default,
  offset = 0,
  sortBy,
  sortDirection,
  ...filters
}: typeof InventorySearch.Type) {
  const { accountId, store } = yield* readCallerState
  const origin = yield* requestOrigin
  if (offset > limits.inventorySearchDepth) {
    return yield* badRequest("offset", `may not pass ${limits.inventorySearchDepth}`)
  }
  const where = yield* chosenLines(store, accountId, filters)
  const count = `select count(*) as total from inventory_lines line where ${where.sql}`
  const total = store.one<{ total: number }>(count, where.values)?.total ?? 0
  const { select, values } = yield* sortedLines(store, where, {
    ...(sortBy === undefined ? {} : { sortBy }),
    ...(sortDirection === undefined ? {} : { sortDirection })
  })
  const rows = store.all<ShownRow>(`${select} limit :limit offset :offset`, { ...values, limit, offset })
  return {
    data: rows.map((row) => showLine(row, origin)),
    pagination: { offset, limit, total, hasMore: offset + rows.length < total }
  }
})
