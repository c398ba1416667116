import type { Transaction } from "../state/State.ts"
import type { JobRow } from "./JobRow.ts"
import type { NamedLine } from "./namedLine.ts"

/** A refused row of a `replace`: what it names, and whether the catalogue has that product. */
export interface RefusedRow {
  readonly number: number
  readonly named: NamedLine
  readonly isInCatalogue: boolean
}

interface ProductRow {
  readonly product_id: number
}

/** The product that the row names by its id, if there is or was one, and that of the line that it names. */
const productsOf = (tx: Transaction, { account_id: accountId }: JobRow, { isInCatalogue, named }: RefusedRow) => {
  const products = new Set<number>()
  const productId = Number(named.productId)
  if (Number.isSafeInteger(productId)) {
    const sql =
      "select product_id from inventory_lines where account_id = :accountId and product_id = :productId limit 1"
    if (isInCatalogue || tx.one(sql, { accountId, productId }) !== undefined) products.add(productId)
  }
  if (named.customId !== undefined) {
    const line = tx.one<ProductRow>(
      "select product_id from inventory_lines where account_id = :accountId and custom_id = :customId",
      { accountId, customId: named.customId }
    )
    if (line !== undefined) products.add(line.product_id)
  }
  return [...products]
}

/**
 * A refused row counts as mentioning every line of its product: `replace` leaves them alone. Where the
 * product is unknown, it leaves every line alone. Returns what the report says of it.
 */
export const spareLines = (tx: Transaction, job: JobRow, refused: RefusedRow): string => {
  const products = productsOf(tx, job, refused)
  if (products.length === 0) {
    tx.run("insert into unplaced_rows values (:jobId, :row) on conflict do nothing", {
      jobId: job.id,
      row: refused.number
    })
    return "no line is set to 0, because it is unknown which one the row means"
  }
  for (const productId of products) {
    tx.run("insert into spared_products values (:jobId, :productId) on conflict do nothing", {
      jobId: job.id,
      productId
    })
  }
  return `lines of product ${products.join(" and ")} are left as they are`
}
