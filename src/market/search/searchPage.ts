import type { Incoming } from "../answers/wire.ts"
import { Effect } from "effect"

import { pageLimits } from "../../feed/contract/Paging.ts"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import type { SearchRequest } from "../../feed/contract/SearchRequest.ts"
import { badRequest } from "../answers/refusals.ts"
import { availableBody, type SearchResult, type OffsetPlace, offsetBody } from "./availableBody.ts"
import { Words } from "../wording/Wording.ts"
import { jsonAnswer, keptJsonAnswer } from "../answers/jsonAnswer.ts"
import { State } from "../state/State.ts"
import { LiveOffers } from "../offers/LiveOffers.ts"
import { Stalls } from "../offers/Stalls.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { productFilter, requestIds } from "../catalogue/productFilter.ts"
import { productFacts, type ProductFacts, type ProductShelf } from "../catalogue/StoredCatalogue.ts"

/** Returns a function that is true while the listings of these products have not changed. */
const unmovedSince = ({ moves, movedAt }: LiveOffers["Service"], productIds: Float64Array): (() => boolean) => {
  let seen = moves()
  return () => {
    const now = moves()
    if (seen === now) return true
    if (productIds.some((id) => movedAt(id) > seen)) return false
    seen = now
    return true
  }
}

/** The order of a search. Beyond the spec: section 6, `sortBy` and `sortDirection`. */
interface Sort {
  readonly by: "name" | "printNumber" | "releaseDate"
  readonly descending: boolean
}

/** Compares print numbers numerically: `9` before `10`, `12a` after `12`. */
const countText = new Intl.Collator("en", { numeric: true }).compare
const plainText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Returns the sorted indexes of matching products. Ties are broken by id, so that pages are stable. */
const productOrder = (
  shelf: ProductShelf,
  matches: (facts: ProductFacts, index: number) => boolean,
  { by, descending }: Sort
): Uint32Array => {
  const found: Array<{ readonly index: number; readonly key: string; readonly id: number }> = []
  for (let index = 0; index < shelf.size; index++) {
    const facts = shelf.facts(index)
    if (matches(facts, index)) found.push({ index, key: facts[by], id: Number(facts.id) })
  }
  const compare = by === "printNumber" ? countText : plainText
  const direction = descending ? -1 : 1
  found.sort((a, b) => compare(a.key, b.key) * direction || a.id - b.id || a.index - b.index)
  return Uint32Array.from(found, ({ index }) => index)
}

const nothing = new Uint8Array()

/** Joins several games to one shelf, for a search without a game. */
const joinShelves = (shelves: ReadonlyArray<ProductShelf>): ProductShelf => {
  const [first] = shelves
  if (shelves.length === 1 && first !== undefined) return first
  const starts: Array<number> = []
  let size = 0
  for (const shelf of shelves) {
    starts.push(size)
    size += shelf.size
  }
  const at = <A>(index: number, read: (shelf: ProductShelf, index: number) => A, none: A): A => {
    const place = starts.findLastIndex((start) => start <= index)
    const shelf = shelves[place]
    return shelf === undefined ? none : read(shelf, index - (starts[place] ?? 0))
  }
  return {
    size,
    inNameOrder: false,
    text: (index) => at(index, (shelf, inner) => shelf.text(inner), nothing),
    worded: (index, rule) => at(index, (shelf, inner) => shelf.worded(inner, rule), nothing),
    facts: (index) => at(index, (shelf, inner) => shelf.facts(inner), productFacts(undefined)),
    id: (index) => at(index, (shelf, inner) => shelf.id(inner), NaN),
    find: (id) => {
      for (const [place, shelf] of shelves.entries()) {
        const found = shelf.find(id)
        if (found !== undefined) return found + (starts[place] ?? 0)
      }
      return undefined
    }
  }
}

/** Maximum end of a page with `listings`. Beyond the spec: section 6. */
const maxEndWithListings = 300_000

/** Refuses `listings` with source ids, sort by release date, or beyond 300,000. Beyond the spec: section 6. */
const checkListings = (body: SearchRequest, { offset, limit }: OffsetPlace) => {
  if (body.listings === undefined) return Effect.void
  for (const field of ["sourceEur", "sourceUsd"] as const) {
    if (body[field] !== undefined) return Effect.fail(badRequest(field, "cannot be combined with listings"))
  }
  if (body.sortBy === "releaseDate") {
    return Effect.fail(badRequest("sortBy", "releaseDate cannot be combined with listings"))
  }
  return offset + limit > maxEndWithListings
    ? Effect.fail(badRequest("offset", `offset + limit may not pass ${maxEndWithListings} with listings`))
    : Effect.void
}

/**
 * Returns the default order: by print number within one expansion, otherwise by name, ascending.
 * Beyond the spec: section 6.
 */
const chooseSort = (body: SearchRequest): Sort => ({
  by: body.sortBy ?? (requestIds(body.expansionId).length === 1 ? "printNumber" : "name"),
  descending: body.sortDirection === "desc"
})

/** Returns the ids of found products, or of one page. */
const readIds = ({ index, shelf, total }: SearchResult, { limit, offset }: OffsetPlace = { offset: 0, limit: total }) =>
  Float64Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) => shelf.id(index(offset + at)))

const viewAsBytes = (order: Uint32Array) => new Uint8Array(order.buffer, order.byteOffset, order.byteLength)
const viewAsOrder = (bytes: Uint8Array) => new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)

/**
 * Returns a page of a product search over live deployments. Paging parameters of the query have precedence over the
 * body. Fails with 400 for an invalid search. Spec: POST /v1/products/search; beyond the spec: section 6.
 */
export const searchPage = Effect.fnUntraced(function* (
  request: Incoming,
  query: { readonly limit?: number; readonly offset?: number },
  body: SearchRequest
) {
  const { games, orders, pages } = yield* LiveCatalogue
  const offers = yield* LiveOffers
  const { name: dialect, product: rule } = yield* Words.ask
  const { limit, offset, sortBy: _by, sortDirection: _direction, listings, ...filters } = body
  const place = { offset: query.offset ?? offset ?? 0, limit: query.limit ?? limit ?? pageLimits.offset.default }
  yield* checkListings(body, place)
  const wantedGame = filters.gameFilters?.game
  const searched = [...games.values()]
    .filter((game) => wantedGame === undefined || game.stored.game.id === wantedGame)
    .map((game) => ({ game, live: game.live() }))
  if (wantedGame !== undefined && searched.length === 0) {
    return yield* badRequest("gameFilters.game", `no game has the id ${wantedGame}`)
  }
  const sort = chooseSort(body)
  const listKey = JSON.stringify([searched.map(({ game, live }) => [game.stored.game.id, live]), filters, sort])

  const rebuilds = searched.map(({ game }) => game.rebuilt.count()).join()
  const readOrder = Effect.gen(function* (): Effect.fn.Return<SearchResult, BadRequest> {
    const shelf = joinShelves(
      (yield* Effect.promise(() => Promise.all(searched.map(({ game, live }) => game.open(live))))).map(
        (deployment) => deployment.products
      )
    )
    const { gameFilters, ...others } = filters
    const wholeShelf = Object.keys(others).length === 0 && gameFilters?.filters === undefined
    if (wholeShelf && shelf.inNameOrder && sort.by === "name" && !sort.descending) {
      return { shelf, total: shelf.size, index: (place) => place }
    }
    const known = orders.get(listKey)
    const order =
      known === undefined ? productOrder(shelf, yield* productFilter(shelf, filters), sort) : viewAsOrder(known)
    if (known === undefined) orders.set(listKey, viewAsBytes(order))
    return { shelf, total: order.length, index: (at) => order[at] ?? 0 }
  })
  if (listings !== undefined) {
    const { store } = yield* State
    const found = yield* readOrder
    yield* (yield* Stalls).open(listings.inStock === true ? readIds(found) : readIds(found, place))
    // The page is not cached, because listings change constantly.
    return yield* jsonAnswer(request, availableBody(store, found, { ...place, filter: listings, rule }))
  }
  return yield* keptJsonAnswer(request, pages, {
    key: `${dialect} ${rebuilds} ${listKey} ${place.offset} ${place.limit}`,
    make: Effect.map(readOrder, (found) => ({
      isCurrent: unmovedSince(offers, readIds(found, place)),
      bytes: offsetBody(place, found.total, (at) => found.shelf.worded(found.index(at), rule))
    }))
  })
})
