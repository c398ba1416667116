import { Result, Schema, Effect } from "effect"
import {
  MetadataLimitExceeded,
  type InvalidStatus,
  ShippingManaged,
  TrackingNumberRequired,
  TrackingRegistrationFailed,
  type MarkShipped,
  type AmountTooHigh
} from "../contract/orders/orderOperations.ts"
import type { Metadata, MetadataChange } from "../contract/orders/Order.ts"
import { limits } from "../contract/Limits.ts"
import {
  readMetadata,
  invalidStatus,
  moveOrder,
  saveOrder,
  underway,
  type OrderRow,
  nextStatuses,
  type OrderChange
} from "./OrderRow.ts"
import { type Transaction, convertCents, toCents, State, type Store } from "../state/State.ts"
import { Amount } from "../contract/Money.ts"
import type { InvalidTransition } from "../contract/account/accountOperations.ts"
import type { BadRequest } from "../../feed/contract/Errors.ts"
import { OrderStatus, type Rating } from "../contract/orders/orderParts.ts"
import { badRequest } from "../answers/refusals.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { cancelOrder, fullRefund, partialRefund, refundMillis } from "./refundOrder.ts"

/** Merges metadata; null removes a key. Fails above 50 keys. Spec: Metadata rules. */
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

/** A step of the buyer, the carrier or the service, which has no API operation. */
export const StepRequest = Schema.Struct({
  to: OrderStatus,
  reason: text,
  reasonText: text,
  /** Amount of a partial or goodwill refund, in the seller's currency. */
  amount: Schema.optionalKey(Amount),
  /** Tracking number for `shipped` of a tracked parcel, as a seller would state it. */
  trackingNumber: Schema.optionalKey(Schema.NonEmptyString)
}).annotate({ title: "StepRequest" })
export type Step = typeof StepRequest.Type

type StepError = InvalidTransition | BadRequest | AmountTooHigh | Result.Result.Failure<ReturnType<typeof shipOrder>>

/** Records a goodwill refund. The service pays it, so the seller's money is unchanged. */
const goodwill = (tx: Transaction, order: OrderRow, cents: number): OrderChange => ({
  buyer_refunded_cents: Math.min(
    order.total_cents,
    order.buyer_refunded_cents + convertCents(cents, order.seller_currency, order.buyer_currency)
  ),
  refund_due_millis: tx.atMillis + refundMillis,
  refunded_at: null
})

/** Returns the refund or payout that a dispute's outcome requires. */
const resolveDispute = (
  tx: Transaction,
  order: OrderRow,
  { to, amount }: Step
): Result.Result<OrderChange, BadRequest | AmountTooHigh> => {
  if (to === "resolved_full_refund" || to === "resolved_return") return Result.succeed(fullRefund(tx, order))
  if (to === "resolved_no_refund") return Result.succeed({})
  if (amount === undefined || amount === 0) return Result.fail(badRequest("amount", `${to} needs one above 0`))
  return to === "resolved_goodwill_refund"
    ? Result.succeed(goodwill(tx, order, toCents(amount)))
    : partialRefund(tx, order, toCents(amount))
}

/** Applies a step. With a tracking number, the seller ships the order. Fails with INVALID_TRANSITION if the status does not allow it. */
export const stepOrder = (tx: Transaction, order: OrderRow, step: Step): Result.Result<OrderRow, StepError> => {
  const { to, reason, reasonText = null, trackingNumber } = step
  const isEdge = nextStatuses(order.status).includes(to)
  switch (to) {
    case "cancelled_buyer":
    case "cancelled_seller":
      return cancelOrder(tx, order, { to, reason: reason ?? "requested", reasonText })
    case "cancelled_auto":
      return cancelOrder(tx, order, { to, reason: reason ?? "timed_out", reasonText })
    case "shipped":
      if (trackingNumber !== undefined) return shipOrder(tx, order, { trackingNumber })
      return isEdge && order.shipping_service === "tracked" && order.tracking_number === null
        ? Result.fail(new TrackingNumberRequired({ message: "The seller marks a tracked parcel as shipped", data: {} }))
        : moveOrder(tx, order, { to, reason: reason ?? null })
    default:
      return isEdge && to.startsWith("resolved_")
        ? Result.flatMap(resolveDispute(tx, order, step), (change) =>
            moveOrder(tx, order, { to, reason: reason ?? null, change })
          )
        : moveOrder(tx, order, { to, reason: reason ?? null })
  }
}

/** Returns the automatic step of an overdue order: unshipped, unanswered or delivered. */
const dueStep = ({ status }: OrderRow) => {
  if (status === "pending_shipment") return { to: "cancelled_auto", reason: "not_shipped" } as const
  if (status === "cancellation_requested") return { to: "cancelled_auto", reason: "not_answered" } as const
  return { to: "completed" } as const
}

/** Processes the orders and refunds that are due. */
export const doDue = (tx: Transaction): Result.Result<void> => {
  tx.run(
    "update orders set refunded_at = :at, updated_at = :at, refund_due_millis = null where refund_due_millis <= :now",
    { at: tx.at, now: tx.atMillis }
  )
  const due = tx.all<OrderRow>("select * from orders where due_at_millis <= :now order by due_at_millis, number", {
    now: tx.atMillis
  })
  for (const order of due) Result.getOrThrow(stepOrder(tx, order, dueStep(order)))
  return Result.succeed(undefined)
}

interface NextRow {
  readonly next: number | null
}

/** Returns when the next order or refund is due. */
export const nextDue = (store: Store): number | undefined => {
  const times = [
    store.one<NextRow>("select min(due_at_millis) as next from orders where due_at_millis is not null"),
    store.one<NextRow>("select min(refund_due_millis) as next from orders where refund_due_millis is not null")
  ].flatMap((row) => row?.next ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Registers the automatic steps of orders. */
export const orderTimers = Effect.gen(function* () {
  const { store, write } = yield* State
  const { register } = yield* MarketClock
  register({ name: "the orders' own steps", nextAt: () => nextDue(store), run: write(doDue) })
})

/**
 * Records the buyer's rating of the seller after delivery. A second review replaces the first. Returns the seller's
 * rating.
 */
export const reviewOrder = (
  tx: Transaction,
  order: OrderRow,
  stars: number
): Result.Result<typeof Rating.Type, InvalidStatus> => {
  // An untracked parcel counts as delivered when its order is completed.
  if (order.delivered_at === null && order.status !== "completed") return Result.fail(invalidStatus(order.status))
  tx.run(
    `insert into reviews values (:number, :seller, :stars, :at)
     on conflict (order_number) do update set stars = excluded.stars, reviewed_at = excluded.reviewed_at`,
    { number: order.order_number, seller: order.seller_id, stars, at: tx.at }
  )
  const rating = tx.one<typeof Rating.Type>(
    "select avg(stars) as average, count(*) as count from reviews where seller_id = :seller",
    { seller: order.seller_id }
  ) ?? { average: null, count: 0 }
  tx.run("update accounts set rating_average = :average, rating_count = :count where id = :seller", {
    ...rating,
    seller: order.seller_id
  })
  return Result.succeed(rating)
}
