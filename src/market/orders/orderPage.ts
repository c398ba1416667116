import { Effect } from "effect"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import { pageLimits } from "../../contract/Paging.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { Store } from "../state/Store.ts"
import type { OrderRow, OrderSide, Side } from "./OrderRow.ts"

/** What is asked of an order list. */
export interface OrderQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly status?: ReadonlyArray<OrderStatus>
  readonly placedFrom?: string
  readonly placedTo?: string
  /** Pairs that a sale has. */
  readonly metadata?: ReadonlyArray<readonly [key: string, value: string]>
}

const cursorOf = (side: Side, number: number): string => Buffer.from(`${side}:${number}`).toString("base64url")

const numberOfCursor = (side: Side, cursor: string): number | undefined => {
  const [, number] = new RegExp(`^${side}:(\\d{1,15})$`).exec(Buffer.from(cursor, "base64url").toString()) ?? []
  return number === undefined ? undefined : Number(number)
}

const conditionsOf = (query: OrderQuery, metadata: ReadonlyArray<readonly [key: string, value: string]>) => {
  const conditions: Array<string> = []
  const values: Record<string, string> = {}
  const add = (condition: string, named: Record<string, string>) => {
    conditions.push(` and ${condition}`)
    Object.assign(values, named)
  }
  const { placedFrom, placedTo, status } = query
  if (status !== undefined) {
    add("status in (select value from json_each(:statuses))", { statuses: JSON.stringify(status) })
  }
  if (placedFrom !== undefined) add("placed_at >= :placedFrom", { placedFrom: new Date(placedFrom).toISOString() })
  if (placedTo !== undefined) add("placed_at <= :placedTo", { placedTo: new Date(placedTo).toISOString() })
  for (const [at, [key, value]] of metadata.entries()) {
    add(`exists (select 1 from json_each(metadata) pair where pair.key = :key${at} and pair.value = :value${at})`, {
      [`key${at}`]: key,
      [`value${at}`]: value
    })
  }
  return { sql: conditions.join(""), values }
}

/**
 * One page of an account's orders, newest first. An order keeps its number, so that a sweep repeats and skips
 * nothing. Fails with 400 for a cursor that is none. Spec: cursor pagination; beyond the spec: section 12.
 */
export const orderPage = Effect.fnUntraced(function* (
  store: Store,
  { side, accountId }: OrderSide,
  { metadata = [], ...query }: OrderQuery
) {
  const limit = query.limit ?? pageLimits.cursor.default
  const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : numberOfCursor(side, query.cursor)
  if (before === undefined) return yield* badRequest("cursor", "is not a cursor of this list")
  const { sql, values } = conditionsOf(query, metadata)
  const rows = store.all<OrderRow>(
    `select * from orders where ${side}_id = :accountId and number < :before${sql} order by number desc limit :rows`,
    { ...values, accountId, before, rows: limit + 1 }
  )
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, nextCursor: last === undefined ? null : cursorOf(side, last.number) }
})
