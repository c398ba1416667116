import { Context, Effect } from "effect"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { sqlText } from "../state/openDatabase.ts"
import { type Listing, liveBlocks } from "./inventedListings.ts"

/** Current listings of each product, and when they last changed. */
export class LiveOffers extends Context.Service<
  LiveOffers,
  {
    /** The number of changes; always 0 with frozen prices. */
    readonly moves: () => number
    /** When the last change was, in milliseconds of the marketplace's clock. */
    readonly lastMoveAt: () => number
    /** The number of the last change of a product's listings; 0 while they equal the catalogue's. */
    readonly movedAt: (productId: number) => number
    /** Products whose listings changed, or are all in the state. The list only grows. */
    readonly touched: ReadonlyArray<number>
    /** True if all of the product's listings are in the state. */
    readonly isOpen: (productId: number) => boolean
    /** The product's live blocks by finish, as JSON texts. `initial` are the listings in the catalogue. */
    readonly blocksOf: (productId: number, initial: () => ReadonlyArray<Listing>) => ReadonlyMap<string, string>
    /** Marks products whose listings are now all in the state. `isMove` is true if the listings changed. */
    readonly setOpen: (productIds: Iterable<number>, isMove: boolean) => void
    /** Runs a write that stores already visible listings and thus counts as no change. */
    readonly unmoved: <A>(write: () => A) => A
  }
>()("cardlake/sandbox/LiveOffers") {}

interface OfferRow extends Omit<Listing, "isGraded"> {
  readonly graded: number
}

const readListing = ({ graded, ...row }: OfferRow): Listing => ({ ...row, isGraded: graded === 1 })

const selectOffers = sqlText(new URL("./selectOffers.sql", import.meta.url))
const noteOffers = sqlText(new URL("./noteOffers.sql", import.meta.url))

/** Maximum number of products with cached blocks. The least recently read are computed again. */
const maxKept = 50_000

const movedBefore = `
select distinct product_id from inventory_lines where price_cents is not null
union select product_id from opened_products`

/** Frozen prices: listings never change, and none comes from the catalogue. */
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

/** Tracks every write to listings and sellers. Blocks are computed on demand, once per change. */
export const makeLiveOffers = Effect.gen(function* () {
  const { addFunction, prepare, store } = yield* State
  const { now } = yield* MarketClock
  const lastMoves = new Map<number, number>()
  const open = new Set<number>()
  const touched: Array<number> = []
  const kept = new Map<number, ReadonlyMap<string, string>>()
  let moves = 0
  let lastMoveAt = 0
  let isQuiet = false
  const note = (productId: number) => {
    if (isQuiet) return
    if (!lastMoves.has(productId)) touched.push(productId)
    lastMoves.set(productId, ++moves)
    lastMoveAt = now()
    kept.delete(productId)
  }
  addFunction("offers_moved", note)
  prepare(noteOffers)
  for (const { product_id } of store.each<{ product_id: number }>(movedBefore)) note(product_id)
  for (const { product_id } of store.each<{ product_id: number }>("select * from opened_products")) open.add(product_id)

  const listed = (productId: number): ReadonlyArray<Listing> =>
    store.all<OfferRow>(selectOffers, { productId }).map(readListing)
  const count = (productId: number, initial: () => ReadonlyArray<Listing>) => {
    const inState = lastMoves.has(productId) || open.has(productId) ? listed(productId) : []
    const blocks = liveBlocks(open.has(productId) ? inState : [...initial(), ...inState])
    return new Map([...blocks].map(([finish, block]) => [finish, JSON.stringify(block)]))
  }
  return LiveOffers.of({
    moves: () => moves,
    lastMoveAt: () => lastMoveAt,
    movedAt: (productId) => lastMoves.get(productId) ?? 0,
    touched,
    isOpen: (productId) => open.has(productId),
    blocksOf: (productId, initial) => {
      const blocks = kept.get(productId) ?? count(productId, initial)
      if (kept.size >= maxKept) kept.clear()
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
