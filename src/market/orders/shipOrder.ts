import { Result, Schema } from "effect"
import {
  type InvalidStatus,
  ShippingManaged,
  TrackingNumberRequired,
  TrackingRegistrationFailed,
  type MarkShipped
} from "../contract/orders/orderOperations.ts"
import type { Transaction } from "../state/State.ts"
import { invalidStatus, moveOrder, saveOrder } from "./moveOrder.ts"
import { underway } from "./orderMoney.ts"
import { mergeMetadata, type OrderRow } from "./OrderRow.ts"

/** Refuses a tracking number that another order has. */
const checkNumber = (tx: Transaction, number: string): Result.Result<void, TrackingRegistrationFailed> =>
  tx.one("select number from orders where tracking_number = :number", { number }) === undefined
    ? Result.succeed(undefined)
    : Result.fail(new TrackingRegistrationFailed({ message: `The carrier knows ${number} already`, data: {} }))

/** Marks an order as shipped by its seller. Beyond the spec: section 12. */
export const shipOrder = (
  tx: Transaction,
  order: OrderRow,
  { trackingNumber, trackingUrl, metadata = {} }: typeof MarkShipped.Type
) =>
  Result.gen(function* () {
    const { shipping_service: service, status } = order
    if (status !== "pending_shipment" && status !== "cancellation_requested") {
      return yield* Result.fail(invalidStatus(status))
    }
    if (service === "managed") {
      return yield* Result.fail(new ShippingManaged({ message: "The marketplace ships this order itself", data: {} }))
    }
    if (service === "tracked" && trackingNumber === undefined) {
      return yield* Result.fail(
        new TrackingNumberRequired({ message: "The buyer paid for a tracked parcel", data: {} })
      )
    }
    const merged = yield* mergeMetadata(order, metadata)
    if (trackingNumber !== undefined) yield* checkNumber(tx, trackingNumber)
    const change = {
      tracking_number: trackingNumber ?? null,
      tracking_url: trackingUrl ?? null,
      metadata: JSON.stringify(merged)
    }
    return yield* Result.mapError(moveOrder(tx, order, { to: "shipped", change }), () => invalidStatus(status))
  })

const text = Schema.optionalKey(Schema.NonEmptyString)

/** A carrier's report. The status `delivered` is the last one. */
export const ScanRequest = Schema.Struct({
  status: Schema.NonEmptyString,
  location: text,
  description: text,
  carrier: text
}).annotate({ title: "ScanRequest" })

/** Records a scan. `delivered` delivers the order; the first scan ships an order that the service manages. */
export const scanParcel = (
  tx: Transaction,
  order: OrderRow,
  scan: typeof ScanRequest.Type
): Result.Result<OrderRow, InvalidStatus> => {
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
