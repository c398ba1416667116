import type { Result } from "effect"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import { refundOrder } from "../orders/refundOrder.ts"
import { reviewOrder, stepOrder, scanParcel, shipOrder } from "../orders/stepOrder.ts"
import type { Transaction } from "../state/State.ts"

/** An action on an order. A refused action leaves the order unchanged. */
type OrderAction = (tx: Transaction, order: OrderRow) => Result.Result<unknown, { readonly code: string }>

/** The history of an order, in hours after placement. Automatic steps are not listed. */
export interface Journey {
  readonly ends: OrderStatus
  /** Age range in which an order has reached this state and not left it. */
  readonly age: readonly [least: number, most: number]
  /** Number of such orders for each order of another state. */
  readonly share: number
  readonly deeds: ReadonlyArray<readonly [hours: number, deed: OrderAction]>
}

const third = ({ subtotal_cents }: OrderRow): number => Math.max(1, Math.floor(subtotal_cents / 3))

const to =
  (status: OrderStatus, reason: string, reasonText?: string): OrderAction =>
  (tx, order) =>
    stepOrder(tx, order, {
      to: status,
      reason,
      amount: third(order) / 100,
      ...(reasonText === undefined ? {} : { reasonText })
    })
const scan =
  (status: string, location: string): OrderAction =>
  (tx, order) =>
    scanParcel(tx, order, { status, location, carrier: "Post" })
const ship: OrderAction = (tx, order) => shipOrder(tx, order, { trackingNumber: `PARCEL-${order.number}` })
/** Rates an order with three to five stars. */
const rate: OrderAction = (tx, order) => reviewOrder(tx, order, 3 + (order.number % 3))
const refund: OrderAction = (tx, order) => refundOrder(tx, order, third(order))

const sent = [
  [20, ship],
  [30, scan("in_transit", "Leipzig")]
] as const
const arrived = [...sent, [68, scan("delivered", "Cardville")]] as const
const disputed = [...arrived, [90, to("dispute_open", "not_as_described")]] as const
const escalated = [...disputed, [160, to("dispute_escalated", "no_agreement")]] as const
const cancellationRequested = [6, to("cancellation_requested", "changed_mind")] as const

const open = (ends: OrderStatus, age: Journey["age"], deeds: Journey["deeds"]): Journey => ({
  ends,
  age,
  share: 1,
  deeds
})
const ended = (ends: OrderStatus, least: number, deeds: Journey["deeds"], share = 1): Journey => ({
  ends,
  age: [least, Infinity],
  share,
  deeds
})

/** At least one journey per state. A delivered order is paid out automatically after 72 hours. */
const journeys: ReadonlyArray<Journey> = [
  open("pending_shipment", [0, 240], []),
  open("cancellation_requested", [7, 70], [cancellationRequested]),
  open("shipped", [31, 240], sent),
  open("delivered", [69, 136], arrived),
  open("dispute_open", [91, 480], disputed),
  open("dispute_escalated", [161, 720], escalated),
  ended("cancelled_buyer", 21, [cancellationRequested, [20, to("cancelled_buyer", "requested")]]),
  ended("cancelled_seller", 11, [[10, to("cancelled_seller", "item_unavailable", "It was sold at a fair meanwhile.")]]),
  ended("cancelled_auto", 15 * 24, []),
  ended("resolved_full_refund", 231, [...escalated, [230, to("resolved_full_refund", "lost")]]),
  ended("resolved_partial_refund", 231, [...escalated, [230, to("resolved_partial_refund", "condition")]]),
  ended("resolved_no_refund", 231, [...escalated, [230, to("resolved_no_refund", "as_described")]]),
  ended("resolved_return", 231, [...escalated, [230, to("resolved_return", "returned")]]),
  ended("resolved_goodwill_refund", 231, [...escalated, [230, to("resolved_goodwill_refund", "goodwill")]]),
  ended("completed", 150, [...arrived, [80, refund]]),
  ended("completed", 150, [...arrived, [100, rate]], 6)
]

/** Chooses the rarest journey so far among those that fit an order's age. */
export const makeJourneyChoice = () => {
  const chosen = new Map<Journey, number>()
  return (ageHours: number): Journey | undefined => {
    const rarity = (journey: Journey) => (chosen.get(journey) ?? 0) / journey.share
    const fitting = journeys.filter(({ age: [least, most] }) => ageHours >= least && ageHours <= most)
    const [first, ...others] = fitting
    if (first === undefined) return undefined
    const journey = others.reduce((rarest, each) => (rarity(each) < rarity(rarest) ? each : rarest), first)
    chosen.set(journey, (chosen.get(journey) ?? 0) + 1)
    return journey
  }
}
