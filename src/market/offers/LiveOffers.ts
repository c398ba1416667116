import { Context, Effect } from "effect"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"
import type { Condition } from "../contract/inventory/InventoryLine.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import { type Listing, type Region, liveBlocks } from "./inventedListings.ts"

/** What is for sale of each product, and when that moved last. */
export class LiveOffers extends Context.Service<
  LiveOffers,
  {
    /** How many moves there were; 0 where prices are frozen. */
    readonly moves: () => number
    /** When the last of them was, in the marketplace's milliseconds. */
    readonly lastMoveAt: () => number
    /** The last move of a product's listings; 0: as the catalogue tells of them. */
    readonly movedAt: (productId: number) => number
    /** Products whose listings moved, or are all in the state; it only grows. */
    readonly touched: ReadonlyArray<number>
    /** True if all of the product's listings are in the state. */
    readonly isOpen: (productId: number) => boolean
    /** The product's live blocks by finish, as JSON texts; `told` are those that the catalogue tells of. */
    readonly blocksOf: (productId: number, told: () => ReadonlyArray<Listing>) => ReadonlyMap<string, string>
    /** From now on, all of the products' listings are in the state. `isMove`: others than before. */
    readonly setOpen: (productIds: Iterable<number>, isMove: boolean) => void
    /** Puts listings into the state that everybody saw before: that moves nothing. */
    readonly unmoved: <A>(write: () => A) => A
  }
>()("cardlake/sandbox/LiveOffers") {}

interface OfferRow {
  readonly finish: string
  readonly region: Region
  readonly condition: Condition | null
  readonly language: string | null
  readonly graded: number
  readonly currency: MarketCurrency
  readonly cents: number
  readonly quantity: number
}

const listingOf = ({ graded, ...row }: OfferRow): Listing => ({ ...row, isGraded: graded === 1 })

const selectOffers = sqlText(new URL("./selectOffers.sql", import.meta.url))
const noteOffers = sqlText(new URL("./noteOffers.sql", import.meta.url))

/** Products whose blocks are kept as texts; what was not read lately is counted again. */
const keptMost = 50_000

const movedBefore = `
select distinct product_id from inventory_lines where price_cents is not null
union select product_id from opened_products`

/** Frozen prices: nothing moves, and no listing comes from the catalogue. */
export const frozenOffers: LiveOffers["Service"] = {
  moves: () => 0,
  lastMoveAt: () => 0,
  movedAt: () => 0,
  touched: [],
  isOpen: () => true,
  blocksOf: () => new Map(),
  setOpen: () => {},
  unmoved: (write) => write()
}

/** Follows every write to listings and sellers. Blocks are counted when they are read, once after each move. */
export const makeLiveOffers = Effect.gen(function* () {
  const { addFunction, prepare, store } = yield* State
  const { now } = yield* MarketClock
  const moved = new Map<number, number>()
  const open = new Set<number>()
  const touched: Array<number> = []
  const kept = new Map<number, ReadonlyMap<string, string>>()
  let moves = 0
  let lastMoveAt = 0
  let isQuiet = false
  const note = (productId: number) => {
    if (isQuiet) return
    if (!moved.has(productId)) touched.push(productId)
    moved.set(productId, ++moves)
    lastMoveAt = now()
    kept.delete(productId)
  }
  addFunction("offers_moved", note)
  prepare(noteOffers)
  for (const { product_id } of store.each<{ product_id: number }>(movedBefore)) note(product_id)
  for (const { product_id } of store.each<{ product_id: number }>("select * from opened_products")) open.add(product_id)

  const listed = (productId: number): ReadonlyArray<Listing> =>
    store.all<OfferRow>(selectOffers, { productId }).map(listingOf)
  const count = (productId: number, told: () => ReadonlyArray<Listing>) => {
    const inState = moved.has(productId) || open.has(productId) ? listed(productId) : []
    const blocks = liveBlocks(open.has(productId) ? inState : [...told(), ...inState])
    return new Map([...blocks].map(([finish, block]) => [finish, JSON.stringify(block)]))
  }
  return LiveOffers.of({
    moves: () => moves,
    lastMoveAt: () => lastMoveAt,
    movedAt: (productId) => moved.get(productId) ?? 0,
    touched,
    isOpen: (productId) => open.has(productId),
    blocksOf: (productId, told) => {
      const blocks = kept.get(productId) ?? count(productId, told)
      if (kept.size >= keptMost) kept.clear()
      kept.set(productId, blocks)
      return blocks
    },
    setOpen: (productIds, isMove) => {
      for (const productId of productIds) {
        open.add(productId)
        touched.push(productId)
        if (isMove) note(productId)
      }
    },
    unmoved: (write) => {
      isQuiet = true
      try {
        return write()
      } finally {
        isQuiet = false
      }
    }
  })
})
