import type { ChangedQuantity, QuantityReason } from "../contract/events/InventoryEvents.ts"
import { emitQuantities } from "../events/emitQuantities.ts"
import type { Transaction } from "../state/State.ts"
import type { LineRow } from "./LineRow.ts"

/** The quantities that one write changed, for its event: a line that changed twice is reported once. */
export interface QuantityLog {
  readonly note: (line: Pick<LineRow, "id" | "custom_id" | "product_id">, before: number, after: number) => void
  /** Writes the events. Called once, at the end of the write. */
  readonly emit: (tx: Transaction, accountId: string, reason: QuantityReason) => void
}

/** A write with the log of the quantities that it changes. */
export interface QuantityWrite {
  readonly tx: Transaction
  readonly log: QuantityLog
}

/** The same, to the stock of one account. */
export interface StockWrite extends QuantityWrite {
  readonly accountId: string
}

export const makeQuantityLog = (): QuantityLog => {
  const changes = new Map<string, ChangedQuantity>()
  return {
    note: ({ id, custom_id, product_id }, before, after) =>
      void changes.set(id, {
        inventoryId: id,
        customId: custom_id,
        productId: product_id,
        before: changes.get(id)?.before ?? before,
        after
      }),
    emit: (tx, accountId, reason) => emitQuantities(tx, accountId, { reason, lines: [...changes.values()] })
  }
}
