import { html, type Html } from "../../desk/pages/html.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import { nextSteps } from "../orders/moveOrder.ts"
import { underway } from "../orders/orderMoney.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import { type Call, callForm, callList, words } from "./RoomPage.ts"

const needsAmount: ReadonlySet<OrderStatus> = new Set(["resolved_partial_refund", "resolved_goodwill_refund"])

const pathOf = ({ order_number }: OrderRow, what: string): string =>
  `/sandbox/orders/${encodeURIComponent(order_number)}/${what}`

/** A step that needs nothing more; a tracked parcel gets a number that no other order has. */
const stepOf = (order: OrderRow, to: OrderStatus): Call => {
  const isSent = to === "shipped" && order.shipping_service === "tracked" && order.tracking_number === null
  const trackingNumber = isSent ? { trackingNumber: `PARCEL-${order.order_number}` } : {}
  return { method: "POST", path: pathOf(order, "steps"), body: { to, ...trackingNumber } }
}

const amountForm = (order: OrderRow, to: OrderStatus): Html =>
  callForm({
    label: words(to),
    method: "POST",
    path: pathOf(order, "steps"),
    body: { to },
    fields: [{ kind: "number", name: "amount", label: `Amount in ${order.seller_currency}`, value: 1, step: "0.01" }]
  })

const scanForm = (order: OrderRow): Html =>
  callForm({
    label: "Scan the parcel",
    method: "POST",
    path: pathOf(order, "scans"),
    fields: [
      { kind: "text", name: "status", label: "Status", value: "in_transit", isNeeded: true },
      { kind: "text", name: "location", label: "Location", value: "" }
    ]
  })

const reviewForm = (order: OrderRow): Html =>
  callForm({
    label: "Rate the seller",
    method: "POST",
    path: pathOf(order, "review"),
    fields: [{ kind: "number", name: "stars", label: "Stars", value: 5 }]
  })

const messageForm = (order: OrderRow): Html =>
  callForm({
    label: "Send a message",
    method: "POST",
    path: pathOf(order, "messages"),
    fields: [
      {
        kind: "choice",
        name: "from",
        label: "From",
        value: "buyer",
        options: [
          ["buyer", "buyer"],
          ["seller", "seller"],
          ["support", "support, to both"]
        ]
      }
    ]
  })

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
export const orderForms = (order: OrderRow): ReadonlyArray<Html> => [
  ...nextSteps(order)
    .filter((to) => needsAmount.has(to))
    .map((to) => amountForm(order, to)),
  ...(canBeScanned(order) ? [scanForm(order)] : []),
  ...(order.delivered_at !== null || order.status === "completed" ? [reviewForm(order)] : []),
  messageForm(order)
]
