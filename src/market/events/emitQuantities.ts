import type { ChangedQuantity, QuantityReason } from "../contract/events/InventoryEvents.ts"
import { limits } from "../contract/Limits.ts"
import type { Transaction } from "../state/State.ts"
import { emit } from "./emit.ts"

/**
 * Reports changed quantities, at most 500 lines per event; each event has its own
 * id. Lines whose quantity stayed are left out. Spec: inventory.quantity.changed.
 */
export const emitQuantities = (
  tx: Transaction,
  accountId: string,
  { lines, reason }: { readonly reason: QuantityReason; readonly lines: ReadonlyArray<ChangedQuantity> }
): void => {
  const changed = lines.filter(({ before, after }) => before !== after)
  if (changed.length === 0) return
  const set = tx.newId()
  for (let at = 0; at < changed.length; at += limits.changesPerEvent) {
    emit(tx, accountId, {
      type: "inventory.quantity.changed",
      eventId: `${set}-${at / limits.changesPerEvent}`,
      data: { reason, changes: changed.slice(at, at + limits.changesPerEvent) }
    })
  }
}
