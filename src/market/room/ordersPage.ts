import { Effect, Schema } from "effect"
import { choiceField, chooseForm } from "../../desk/pages/chooseForm.ts"
import { html } from "../../desk/pages/html.ts"
import { badRequest } from "../answers/refusals.ts"
import { OrderStatus } from "../contract/orders/orderParts.ts"
import { orderPage } from "../control/orderControl.ts"
import type { OrderRow } from "../orders/OrderRow.ts"
import { toMoney, State, type Store } from "../state/State.ts"
import {
  accountFilter,
  findUsername,
  instant,
  live,
  money,
  orderAddress,
  pageRows,
  pager,
  rowsTable,
  words,
  type PageRequest,
  type PageOf,
  readText
} from "./RoomPage.ts"

const isStatus = Schema.is(OrderStatus)

const orderRow = (store: Store, order: OrderRow) => [
  html`<a href="${orderAddress(order.order_number)}">${order.order_number}</a>`,
  words(order.status),
  findUsername(store, order.seller_id),
  findUsername(store, order.buyer_id),
  money(toMoney(order.total_cents, order.buyer_currency)),
  instant(order.placed_at)
]

const filters = Effect.fnUntraced(function* (request: PageRequest) {
  const status = readText(request, "status")
  const day = readText(request, "day")
  if (status !== undefined && !isStatus(status)) return yield* badRequest("status", `${status} is not one of an order`)
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day)) {
    return yield* badRequest("day", `${day} is not a day, such as 2026-03-01`)
  }
  return { status, day, accountId: readText(request, "account"), cursor: readText(request, "cursor") }
})

/** Shows orders by state and day, newest first. */
export const ordersPage: PageOf = Effect.fnUntraced(function* (request) {
  const { store } = yield* State
  const chosen = yield* filters(request)
  const { nextCursor, orders } = yield* orderPage({ ...chosen, limit: pageRows })
  const form = chooseForm(request.path, [
    choiceField("status", "State", chosen.status ?? "", [
      ["", "all"],
      ...OrderStatus.literals.map((each) => [each, words(each)] as const)
    ]),
    { kind: "day", name: "day", label: "Placed on", value: chosen.day ?? "" },
    accountFilter(store, chosen.accountId ?? "")
  ])
  return {
    title: "Orders",
    says: "Open one to see all of it and to take its next step.",
    body: html`${form}${live("orders", [
      rowsTable({
        caption: "Orders, newest first",
        heads: ["order", "state", "seller", "buyer", "total", "placed"],
        rows: orders.map((order) => orderRow(store, order)),
        empty: html`There are no such orders. <code>POST /sandbox/checkout</code> pays for a cart;
          <code>cardlake sandbox --orders 500</code> begins with some.`
      }),
      pager(request.path, request.query, ["cursor", nextCursor])
    ])}`
  }
})
