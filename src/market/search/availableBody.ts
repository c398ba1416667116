import type { SearchRequest } from "../../feed/contract/SearchRequest.ts"
import { availabilities, productsInStock } from "../buying/availability.ts"
import type { Store } from "../state/State.ts"
import type { KeyRule } from "../wording/renameKeys.ts"
import { type OffsetPlace, offsetBody } from "./offsetBody.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"

/** What a search found: the products of a shelf, in the order of the answer. */
export interface Found {
  readonly shelf: ProductShelf
  readonly total: number
  /** The product at a place of the answer, as its place on the shelf. */
  readonly index: (place: number) => number
}

/** Only the products of which something can be bought. */
const inStockOnly = (
  store: Store,
  { shelf, total, index }: Found,
  filter: NonNullable<SearchRequest["listings"]>
): Found => {
  const stocked = new Set(productsInStock(store, filter).flatMap((id) => shelf.find(String(id)) ?? []))
  const kept = Array.from({ length: total }, (_, place) => index(place)).filter((at) => stocked.has(at))
  return { shelf, total: kept.length, index: (place) => kept[place] ?? 0 }
}

/** A page with listings: which ones count, and how its records are written. */
interface ListedPlace extends OffsetPlace {
  readonly filter: NonNullable<SearchRequest["listings"]>
  readonly rule: KeyRule | null
}

/** The page of a search with listings: each stored text with its `availability`. Spec: SealedProduct. */
export const availableBody = (store: Store, all: Found, { filter, limit, offset, rule }: ListedPlace): Uint8Array => {
  const found = filter.inStock === true ? inStockOnly(store, all, filter) : all
  const { shelf, total, index } = found
  const idAt = (place: number) => Number(shelf.facts(index(place)).id)
  const shown = Math.max(0, Math.min(limit, total - offset))
  const availabilityOf = availabilities(
    store,
    Array.from({ length: shown }, (_, place) => idAt(offset + place)),
    filter
  )
  return offsetBody({ offset, limit }, total, (place) => {
    const text = Buffer.from(shelf.worded(index(place), rule))
    const added = `,"availability":${JSON.stringify(availabilityOf(idAt(place)))}}`
    return Buffer.concat([text.subarray(0, text.lastIndexOf("}")), Buffer.from(added)])
  })
}
