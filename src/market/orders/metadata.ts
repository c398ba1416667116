import { Result } from "effect"
import { limits } from "../contract/Limits.ts"
import type { Metadata, MetadataChange } from "../contract/orders/Metadata.ts"
import { MetadataLimitExceeded } from "../contract/orders/OrderErrors.ts"
import type { Transaction } from "../state/State.ts"
import { type OrderRow, readMetadata } from "./OrderRow.ts"

/** The pairs after a change; null removes a key. Fails above 50 keys. Spec: Metadata rules. */
export const mergeMetadata = (
  order: OrderRow,
  change: MetadataChange
): Result.Result<Metadata, MetadataLimitExceeded> => {
  const merged = Object.entries({ ...readMetadata(order), ...change }).flatMap(([key, value]) =>
    value === null ? [] : [[key, value] as const]
  )
  if (merged.length <= limits.metadataKeys) return Result.succeed(Object.fromEntries(merged))
  const message = `${merged.length} keys are more than ${limits.metadataKeys}; nothing was stored`
  return Result.fail(new MetadataLimitExceeded({ message, data: {} }))
}

/** Stores a seller's own pairs. Nothing of the order itself changes, so `updatedAt` does not tell the buyer of it. */
export const saveMetadata = (tx: Transaction, order: OrderRow, metadata: Metadata): OrderRow => {
  const after = { ...order, metadata: JSON.stringify(metadata) }
  tx.run("update orders set metadata = :metadata where number = :number", {
    metadata: after.metadata,
    number: order.number
  })
  return after
}
