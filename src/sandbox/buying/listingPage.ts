import { Effect } from "effect"
import { pageLimits } from "../../contract/Paging.ts"
import { badRequest } from "../answers/badRequest.ts"
import type { Store } from "../state/Store.ts"
import { listingCondition, type ListingFilter } from "./listingCondition.ts"
import { listingOf, type ListingRow, listings } from "./ListingRow.ts"

const cursorOf = ({ compared, id }: ListingRow): string =>
  Buffer.from(`listing:${compared}:${id}`).toString("base64url")

const placeOfCursor = (cursor: string) => {
  const text = Buffer.from(cursor, "base64url").toString()
  const [, compared, id] = /^listing:(\d{1,16}):([0-9a-f]{24})$/.exec(text) ?? []
  return compared === undefined || id === undefined ? undefined : { compared: Number(compared), id }
}

/**
 * One page of a product's listings, cheapest first and at one price the oldest. Fails with 400 for a cursor that is none.
 * Spec: ProductListing; beyond the spec: section 6.
 */
export const listingPage = Effect.fnUntraced(function* (
  store: Store,
  productId: number,
  { cursor, limit = pageLimits.cursor.default, ...filter }: ListingFilter & { cursor?: string; limit?: number },
  origin: string
) {
  const after = cursor === undefined ? { compared: -1, id: "" } : placeOfCursor(cursor)
  if (after === undefined) return yield* badRequest("cursor", "is none of this list")
  const { sql, values } = listingCondition(filter, [productId])
  const rows = listings(store, filter.deliveryCountry ?? null, {
    sql: `${sql} and (compared, line.id) > (:compared, :id) order by compared, line.id limit :rows`,
    values: { ...values, ...after, rows: limit + 1 }
  })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map((row) => listingOf(row, origin)),
    pagination: { nextCursor: last === undefined ? null : cursorOf(last) }
  }
})
