import { Effect, Semaphore, Result } from "effect"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"
import { State, type Transaction } from "../state/State.ts"
import type { LiveOffers } from "./LiveOffers.ts"
import { type LineRow, makeQuantityLog } from "../inventory/LineRow.ts"
import { updateUnits } from "../inventory/putLine.ts"

const listedLines = `
select * from inventory_lines
where price_cents is not null and product_id in (select value from json_each(:products))
order by account_id, id`

/** Takes the listings of products off sale; their units stay in stock. Lines that are equal then become one. */
const takeOffSale = (tx: Transaction, productIds: ReadonlyArray<number>) => {
  const products = JSON.stringify(productIds)
  const byAccount = Map.groupBy(tx.all<LineRow>(listedLines, { products }), ({ account_id }) => account_id)
  for (const [accountId, lines] of byAccount) {
    const log = makeQuantityLog()
    for (const { id } of lines) {
      const line = tx.one<LineRow>("select * from inventory_lines where id = :id", { id })
      // An equal line may have taken it in. More units than a number carries exactly stay apart, for sale.
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

const gone = (before: ProductShelf, after: ProductShelf): ReadonlyArray<number> => {
  const ids: Array<number> = []
  for (let index = 0; index < before.size; index++) {
    const id = before.id(index)
    if (Number.isSafeInteger(id) && after.find(String(id)) === undefined) ids.push(id)
  }
  return ids
}

/** Games of which a product that a deployment removes takes its listings off sale. */
export const sellingOut = Effect.map(
  State,
  ({ write }) =>
    (game: LiveGame, { setOpen }: LiveOffers["Service"]): LiveGame => {
      const oneAtATime = Semaphore.makeUnsafe(1)
      const takeOff = Effect.gen(function* () {
        const next = game.live() + 1
        if (next >= game.stored.deployments.length) return
        const [before, after] = yield* Effect.promise(() => Promise.all([game.open(next - 1), game.open(next)]))
        const productIds = gone(before.products, after.products)
        if (productIds.length === 0) return
        yield* write((tx) => takeOffSale(tx, productIds))
        setOpen(productIds, true)
      })
      return { ...game, deploy: takeOff.pipe(Effect.andThen(game.deploy), oneAtATime.withPermit) }
    }
)
