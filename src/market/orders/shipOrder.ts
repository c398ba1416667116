import { Result } from "effect"
import {
  type InvalidStatus,
  type MetadataLimitExceeded,
  ShippingManaged,
  TrackingNumberRequired,
  TrackingRegistrationFailed
} from "../contract/orders/OrderErrors.ts"
import type { MarkShipped } from "../contract/orders/OrderRequests.ts"
import type { Transaction } from "../state/State.ts"
import { moveOrder } from "./moveOrder.ts"
import { mergeMetadata } from "./metadata.ts"
import type { OrderRow } from "./OrderRow.ts"
import { invalidStatus } from "./refundOrder.ts"

/** A tracking number is unique: one that another order has is refused. */
const checkNumber = (tx: Transaction, number: string): Result.Result<void, TrackingRegistrationFailed> =>
  tx.one("select number from orders where tracking_number = :number", { number }) === undefined
    ? Result.succeed(undefined)
    : Result.fail(new TrackingRegistrationFailed({ message: `The carrier knows ${number} already`, data: {} }))

/** The seller has sent the parcel. Beyond the spec: section 12. */
export const shipOrder = (
  tx: Transaction,
  order: OrderRow,
  { trackingNumber, trackingUrl, metadata = {} }: typeof MarkShipped.Type
): Result.Result<
  OrderRow,
  InvalidStatus | TrackingNumberRequired | ShippingManaged | MetadataLimitExceeded | TrackingRegistrationFailed
> =>
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
