import { Effect } from "effect"
import { html, type Html, factList } from "../../desk/pages/html.ts"
import { orderDetail } from "../control/orderControl.ts"
import { findOrder, type OrderRow, nextSteps, underway } from "../orders/OrderRow.ts"
import { State } from "../state/State.ts"
import { instant, live, money, rowsTable, words, type PageOf, type Call, callList } from "./RoomPage.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import { operationForm } from "./operationForm.ts"

type Detail = Effect.Success<ReturnType<typeof orderDetail>>

const facts = ({ placedAt, purchase, sale, stars, status }: Detail): Html =>
  factList([
    ["State", words(status)],
    ["Seller", purchase.seller.username],
    ["Buyer", sale.buyer.username],
    ["Placed", instant(placedAt)],
    ["Shipped", instant(sale.shippedAt)],
    ["Delivered", instant(sale.deliveredAt)],
    ["Ended", instant(sale.completedAt)],
    [
      "Cancelled",
      sale.cancellation !== null &&
        `by ${sale.cancellation.cancelledBy}, ${words(sale.cancellation.reason)} ${sale.cancellation.reasonText ?? ""}`
    ],
    ["Stars", stars]
  ])

const items = ({ purchase, sale }: Detail): Html =>
  rowsTable({
    caption: "Items",
    heads: [
      "product",
      "condition",
      "language",
      "finish",
      "units",
      "for the seller",
      "for the buyer",
      "line of stock",
      "custom id"
    ],
    rows: sale.items.map((item, at) => [
      html`${item.productName} ${item.productId !== null && html`<code>${item.productId}</code>`}`,
      item.graded === null ? item.condition : `${item.graded.gradingService ?? ""} ${item.graded.grade ?? ""}`,
      item.language,
      item.finish,
      item.quantity,
      money(item.lineTotal),
      purchase.items[at] !== undefined && money(purchase.items[at].lineTotal),
      html`<code>${item.inventoryId}</code>`,
      item.customId
    ]),
    empty: "It has no items."
  })

const moneyOfBoth = ({ purchase, sale }: Detail): Html =>
  rowsTable({
    caption: "Money",
    heads: ["", "seller", "buyer"],
    rows: [
      ["items", money(sale.subtotal), money(purchase.subtotal)],
      ["shipping", money(sale.shippingAmount), money(purchase.shippingAmount)],
      ["fee", money(sale.sellerFee.amount), money(purchase.buyerFee)],
      ["tax", "", money(purchase.tax)],
      ["refunded", money(sale.refunded), purchase.refund !== null && money(purchase.refund.amount)],
      [
        "payout",
        sale.payout.amount === null
          ? sale.cancellation === null
            ? "not known yet"
            : "none"
          : money(sale.payout.amount),
        ""
      ],
      ["total", "", money(purchase.total)]
    ],
    empty: ""
  })

const address = ({ sale: { shippingAddress: to } }: Detail): Html =>
  html`<address>
    ${[to.recipientName, to.line1, to.line2, `${to.postalCode} ${to.city}`, to.state, to.countryCode, to.phone]
      .filter((line) => line !== null && line !== "")
      .map((line) => html`${line}<br />`)}
  </address>`

const parcel = ({ sale: { cancellation, shipping } }: Detail): Html =>
  shipping === null
    ? html`<p class="empty">
        ${cancellation === null ? "It is not shipped yet." : "It was cancelled before it was shipped."}
      </p>`
    : html`${factList([
        ["Number", shipping.trackingNumber],
        ["Carrier", shipping.carrier],
        ["Address", shipping.trackingUrl]
      ])}
      ${rowsTable({
        caption: "Scans",
        heads: ["at", "status", "location", "description"],
        rows: (shipping.history ?? []).map((scan) => [
          instant(scan.occurredAt),
          scan.status,
          scan.location,
          scan.description
        ]),
        empty: "No carrier has scanned it."
      })}`

const history = ({ messages, steps }: Detail): Html =>
  html`${rowsTable({
    caption: "Steps",
    heads: ["at", "state", "reason"],
    rows: steps.map(({ at, reason, status }) => [instant(at), words(status), reason === null ? "" : words(reason)]),
    empty: "No step is recorded."
  })}
  ${rowsTable({
    caption: "Messages",
    heads: ["at", "from", "to", "attachments"],
    rows: messages.map(({ from, hasAttachments, sentAt, to }) => [
      instant(sentAt),
      from,
      to.join(" and "),
      hasAttachments ? "yes" : "no"
    ]),
    empty: "Nobody has written. The API never shows the text of a message."
  })}`

/** Summarizes buyer, seller and amount. */
const inOneSentence = ({ purchase, sale }: Detail): string =>
  `${sale.buyer.username} bought from ${purchase.seller.username} for ${money(purchase.total)}.`

/** Shows an order with its details and possible actions. */
export const orderPage: PageOf = Effect.fnUntraced(function* ({ item }) {
  const { store } = yield* State
  const detail = yield* orderDetail(item)
  const order = yield* Effect.fromResult(findOrder(store, item))
  return {
    title: `Order ${item}`,
    says: inOneSentence(detail),
    body: html`${live("order", [facts(detail), html`<h2>Next steps</h2>`, orderSteps(order)])}
      <h2>Other calls</h2>
      ${live("forms", orderForms(order))}
      ${live("detail", [
        html`<h2>Items and money</h2>`,
        items(detail),
        moneyOfBoth(detail),
        html`<h2>Address and parcel</h2>`,
        address(detail),
        parcel(detail),
        html`<h2>History</h2>`,
        history(detail)
      ])}`
  }
})

const needsAmount: ReadonlySet<OrderStatus> = new Set(["resolved_partial_refund", "resolved_goodwill_refund"])

/** Returns the call of a step without further input. A tracked parcel gets a unique number. */
const makeStepCall = (order: OrderRow, to: OrderStatus): Call => {
  const isSent = to === "shipped" && order.shipping_service === "tracked" && order.tracking_number === null
  const trackingNumber = isSent ? { trackingNumber: `PARCEL-${order.order_number}` } : {}
  const path = `/sandbox/orders/${encodeURIComponent(order.order_number)}/steps`
  return { method: "POST", path, body: { to, ...trackingNumber } }
}

/** True if a carrier can scan the parcel. The first scan of a managed one ships it. */
const canBeScanned = ({ shipping_service, status }: OrderRow): boolean =>
  underway.has(status) || (shipping_service === "managed" && status === "pending_shipment")

/** Renders the possible actions of an order with their calls. */
export const orderSteps = (order: OrderRow): Html => {
  const next = nextSteps(order)
  const plain = next.filter((to) => !needsAmount.has(to))
  return next.length === 0
    ? html`<p class="empty">The order has ended: there is no further step.</p>`
    : html`${callList(plain.map((to) => [words(to), makeStepCall(order, to)]))}`
}

/** Renders forms for actions that need input, outside the part that refreshes. */
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
