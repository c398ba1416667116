import { Context, Effect, Semaphore, Result } from "effect"
import type { LiveAtStart, LiveGame } from "../catalogue/LiveGame.ts"
import type { StoredGame, ProductShelf } from "../catalogue/StoredCatalogue.ts"
import { frozenOffers, LiveOffers, makeLiveOffers } from "./LiveOffers.ts"
import { countBlocks, livingGame } from "./livingShelf.ts"
import { makeStalls, Stalls } from "./Stalls.ts"
import { State, type Transaction } from "../state/State.ts"
import type { LineRow } from "../inventory/LineRow.ts"
import { makeQuantityLog, updateUnits } from "../inventory/putLine.ts"

const listedLines = `
select * from inventory_lines
where price_cents is not null and product_id in (select value from json_each(:products))
order by account_id, id`

/** Removes the listings of products from sale; their units remain in stock. Equal lines are merged. */
const takeOffSale = (tx: Transaction, productIds: ReadonlyArray<number>) => {
  const products = JSON.stringify(productIds)
  const byAccount = Map.groupBy(tx.all<LineRow>(listedLines, { products }), ({ account_id }) => account_id)
  for (const [accountId, lines] of byAccount) {
    const log = makeQuantityLog()
    for (const { id } of lines) {
      const line = tx.one<LineRow>("select * from inventory_lines where id = :id", { id })
      // An equal line may have absorbed this one. If the sum would be inexact, the line remains for sale.
      if (line === undefined) continue
      updateUnits({ tx, log }, line, { state: { ...line, price_cents: null }, quantity: line.quantity })
    }
    log.emit(tx, accountId, "listing")
  }
  tx.run("insert into opened_products select value from json_each(:products) where true on conflict do nothing", {
    products
  })
  return Result.succeed(undefined)
}

const findRemovedProducts = (before: ProductShelf, after: ProductShelf): ReadonlyArray<number> => {
  const ids: Array<number> = []
  for (let index = 0; index < before.size; index++) {
    const id = before.id(index)
    if (Number.isSafeInteger(id) && after.find(String(id)) === undefined) ids.push(id)
  }
  return ids
}

/** Removes listings from sale when a deployment removes their product. */
const sellingOut = Effect.map(State, ({ write }) => (game: LiveGame, { setOpen }: LiveOffers["Service"]): LiveGame => {
  const oneAtATime = Semaphore.makeUnsafe(1)
  const takeOff = Effect.gen(function* () {
    const next = game.live() + 1
    if (next >= game.stored.deployments.length) return
    const [before, after] = yield* Effect.promise(() => Promise.all([game.open(next - 1), game.open(next)]))
    const productIds = findRemovedProducts(before.products, after.products)
    if (productIds.length === 0) return
    yield* write((tx) => takeOffSale(tx, productIds))
    setOpen(productIds, true)
  })
  return { ...game, deploy: takeOff.pipe(Effect.andThen(game.deploy), oneAtATime.withPermit) }
})

/** Returns games with computed live blocks, and the services that depend on them. */
export const livePrices = Effect.fnUntraced(function* (games: ReadonlyArray<StoredGame>, start: LiveAtStart) {
  const offers = yield* makeLiveOffers
  const living = games.map((game) => livingGame(game, start, offers))
  const stalls = yield* Effect.provideService(makeStalls(living), LiveOffers, offers)
  const sellOut = yield* sellingOut
  return {
    stored: living.map(({ stored }) => stored),
    counted: Effect.promise(() => countBlocks(living)),
    deploying: (game: LiveGame) => sellOut(game, offers),
    context: Context.make(LiveOffers, offers).pipe(Context.add(Stalls, stalls))
  }
})

/** Returns games with the catalogue's live blocks, independent of sales. */
export const frozenPrices = (games: ReadonlyArray<StoredGame>) =>
  Effect.succeed({
    stored: games,
    counted: Effect.succeed({ blocks: 0, contradicting: 0 }),
    deploying: (game: LiveGame) => game,
    context: Context.make(LiveOffers, frozenOffers).pipe(Context.add(Stalls, { open: () => Effect.void }))
  })
