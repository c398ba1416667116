import { Result } from "effect"
import type { InvalidStatus } from "../contract/orders/OrderErrors.ts"
import type { OrderStatus } from "../contract/orders/OrderStatus.ts"
import type { Transaction } from "../state/State.ts"
import { moveOrder } from "./moveOrder.ts"
import type { OrderRow } from "./OrderRow.ts"
import { invalidStatus } from "./refundOrder.ts"
import { saveOrder } from "./saveOrder.ts"

/** What a carrier saw of a parcel. */
export interface Scan {
  readonly status: string
  readonly location?: string
  readonly description?: string
  readonly carrier?: string
}

const underway: ReadonlySet<OrderStatus> = new Set(["shipped", "delivered", "dispute_open", "dispute_escalated"])

/**
 * Records a scan. The one that says `delivered` delivers the
 * order; the first one ships an order of the service's own.
 */
export const scanParcel = (tx: Transaction, order: OrderRow, scan: Scan): Result.Result<OrderRow, InvalidStatus> => {
  const isOurs = order.shipping_service === "managed" && order.status === "pending_shipment"
  if (!underway.has(order.status) && !isOurs) return Result.fail(invalidStatus(order.status))
  tx.run(
    `insert into tracking_scans
     select :number, count(*), :status, :at, :location, :description from tracking_scans where order_number = :number`,
    {
      number: order.order_number,
      status: scan.status,
      at: tx.at,
      location: scan.location ?? null,
      description: scan.description ?? null
    }
  )
  const refused = () => invalidStatus(order.status)
  return Result.gen(function* () {
    const known = saveOrder(tx, order, { carrier: scan.carrier ?? order.carrier })
    const shipped = isOurs ? yield* Result.mapError(moveOrder(tx, known, { to: "shipped" }), refused) : known
    return scan.status === "delivered" && shipped.status === "shipped"
      ? yield* Result.mapError(moveOrder(tx, shipped, { to: "delivered" }), refused)
      : shipped
  })
}
