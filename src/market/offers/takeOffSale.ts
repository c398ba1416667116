import { Result } from "effect"
import type { LineRow } from "../inventory/LineRow.ts"
import { updateUnits } from "../inventory/putLine.ts"
import { makeQuantityLog } from "../inventory/QuantityLog.ts"
import type { Transaction } from "../state/State.ts"

const listedLines = `
select * from inventory_lines
where price_cents is not null and product_id in (select value from json_each(:products))
order by account_id, id`

/** Takes the listings of products off sale; their units stay in stock. Lines that are equal then become one. */
export const takeOffSale = (tx: Transaction, productIds: ReadonlyArray<number>) => {
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
