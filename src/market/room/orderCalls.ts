import { html, type Html } from "../../desk/pages/html.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import { nextSteps } from "../orders/moveOrder.ts"
import { underway } from "../orders/orderMoney.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import { operationForm } from "./operationForm.ts"
import { type Call, callList, words } from "./RoomPage.ts"

const needsAmount: ReadonlySet<OrderStatus> = new Set(["resolved_partial_refund", "resolved_goodwill_refund"])

/** A step that needs nothing more; a tracked parcel gets a number that no other order has. */
const stepOf = (order: OrderRow, to: OrderStatus): Call => {
  const isSent = to === "shipped" && order.shipping_service === "tracked" && order.tracking_number === null
  const trackingNumber = isSent ? { trackingNumber: `PARCEL-${order.order_number}` } : {}
  const path = `/sandbox/orders/${encodeURIComponent(order.order_number)}/steps`
  return { method: "POST", path, body: { to, ...trackingNumber } }
}

/** A carrier sees a parcel on its way; the first scan of a managed one ships it. */
const canBeScanned = ({ shipping_service, status }: OrderRow): boolean =>
  underway.has(status) || (shipping_service === "managed" && status === "pending_shipment")

/** What can be done with an order now, and with which calls. */
export const orderSteps = (order: OrderRow): Html => {
  const next = nextSteps(order)
  const plain = next.filter((to) => !needsAmount.has(to))
  return next.length === 0
    ? html`<p class="empty">The order has ended: there is no further step.</p>`
    : html`${callList(plain.map((to) => [words(to), stepOf(order, to)]))}`
}

/** Forms for what needs a word more. They are beside what refreshes itself. */
export const orderForms = (order: OrderRow): ReadonlyArray<Html> => {
  const form = (name: string, label: string, values: Readonly<Record<string, string | number>>) =>
    operationForm(name, { label, values, fixed: { orderNumber: order.order_number } })
  const payments = nextSteps(order).filter((to) => needsAmount.has(to))
  return [
    ...payments.map((to) =>
      operationForm("step", {
        label: `${words(to)}, in ${order.seller_currency}`,
        fixed: { orderNumber: order.order_number, to },
        only: ["amount"],
        values: { amount: 1 }
      })
    ),
    ...(canBeScanned(order) ? [form("scan", "Scan the parcel", { status: "in_transit" })] : []),
    ...(order.delivered_at !== null || order.status === "completed"
      ? [form("review", "Rate the seller", { stars: 5 })]
      : []),
    form("message", "Send a message", { from: "buyer" })
  ]
}
