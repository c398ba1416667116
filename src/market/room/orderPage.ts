import { Effect } from "effect"
import { html, type Html, factList } from "../../desk/pages/html.ts"
import { orderDetail } from "../control/orderControl.ts"
import { findOrder } from "../orders/OrderRow.ts"
import { State } from "../state/State.ts"
import { orderForms, orderSteps } from "./orderCalls.ts"
import { instant, live, money, rowsTable, words, type PageOf } from "./RoomPage.ts"

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
      ["payout", sale.payout.amount === null ? "not known yet" : money(sale.payout.amount), ""],
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

const parcel = ({ sale: { shipping } }: Detail): Html =>
  shipping === null
    ? html`<p class="empty">It is not shipped yet.</p>`
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
    empty: "No event tells of it."
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
    empty: "Nobody has written. What a message says is nowhere in the API."
  })}`

/** Who buys of whom, for how much. */
const inOneSentence = ({ purchase, sale }: Detail): string =>
  `${sale.buyer.username} buys of ${purchase.seller.username} for ${money(purchase.total)}.`

/** One order: what can be done with it, and all that is known of it. */
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
