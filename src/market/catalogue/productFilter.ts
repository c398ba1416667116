import { Effect } from "effect"
import type { SearchRequest } from "../../feed/contract/SearchRequest.ts"
import { attributeFilter } from "./attributeFilter.ts"
import { nameFilter } from "./nameFilter.ts"
import type { ProductFacts } from "./productFacts.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"

/** The filters of a search: its body without game, sort and paging. */
export type ProductFilters = Omit<SearchRequest, "limit" | "offset" | "sortBy" | "sortDirection" | "listings">

/** Ids come as numbers or digit strings; both read the same. Beyond the spec: section 1. */
export const requestIds = (ids: SearchRequest["productIds"] | SearchRequest["expansionId"]): ReadonlyArray<string> =>
  ids === undefined ? [] : (Array.isArray(ids) ? ids : [ids]).map((id) => BigInt(id).toString())

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A test of one product; all filters given must hold. Spec: filters apply before pagination. */
export const productFilter = Effect.fnUntraced(function* (shelf: ProductShelf, filters: ProductFilters) {
  const tests: Array<(facts: ProductFacts, index: number) => boolean> = []
  const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory } = filters
  if (productIds !== undefined) {
    const wanted = new Set(requestIds(productIds))
    tests.push((facts) => wanted.has(facts.id))
  }
  if (expansionId !== undefined) {
    const wanted = new Set(requestIds(expansionId))
    tests.push((facts) => wanted.has(facts.expansionId))
  }
  if (productType !== undefined) {
    const { op, values } = productType
    tests.push((facts) =>
      op === "or"
        ? values.some((value) => value === facts.productType)
        : values.every((value) => value === facts.productType)
    )
  }
  if (productCategory !== undefined) tests.push((facts) => facts.productCategory === productCategory)
  if (name !== undefined) tests.push(nameFilter(shelf, name))
  if (nameSlug !== undefined) tests.push((facts) => sameText(facts.nameSlug, nameSlug))
  if (printNumber !== undefined) tests.push((facts) => sameText(facts.printNumber, printNumber))
  for (const source of ["sourceEur", "sourceUsd"] as const) {
    const wanted = new Set(filters[source])
    if (wanted.size > 0) tests.push((facts) => facts[source].some((id) => wanted.has(id)))
  }
  const attributes = filters.gameFilters?.filters
  if (attributes !== undefined) {
    const matches = yield* attributeFilter(attributes)
    tests.push((_, index) => matches(JSON.parse(Buffer.from(shelf.text(index)).toString()).attributes ?? {}))
  }
  return (facts: ProductFacts, index: number) => tests.every((test) => test(facts, index))
})
