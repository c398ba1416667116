import type { Purchase, PurchaseDetail } from "../contract/orders/Purchase.ts"
import { moneyOf } from "../state/cents.ts"
import type { Store } from "../state/Store.ts"
import { sellerParty } from "./orderParty.ts"
import { itemsOf, type OrderRow } from "./OrderRow.ts"
import { addressOf, cancellationOf, datesOf, itemOf, type KnownProducts, shippingOf } from "./orderView.ts"

/** What decides besides the order how it is shown. */
interface Shown {
  readonly known: KnownProducts
  readonly now: number
}

/** An order as its buyer sees it, in the currency paid. Spec: Purchase. */
export const purchaseOf = (store: Store, order: OrderRow, { known, now }: Shown): Purchase => {
  const currency = order.buyer_currency
  return {
    ...datesOf(order),
    currency,
    items: itemsOf(store, order.order_number).map((item) =>
      itemOf(item, { unitCents: item.buyer_unit_cents, currency }, known)
    ),
    subtotal: moneyOf(order.buyer_subtotal_cents, currency),
    shippingAmount: moneyOf(order.buyer_shipping_cents, currency),
    buyerFee: moneyOf(order.buyer_fee_cents, currency),
    tax: moneyOf(order.tax_cents, currency),
    total: moneyOf(order.total_cents, currency),
    seller: sellerParty(store, order.seller_id, now)
  }
}

/** The full view of the buyer. Spec: PurchaseDetail. */
export const purchaseDetailOf = (store: Store, order: OrderRow, shown: Shown): PurchaseDetail => ({
  ...purchaseOf(store, order, shown),
  shippingAddress: addressOf(order),
  shipping: shippingOf(store, order),
  refund:
    order.buyer_refunded_cents === 0
      ? null
      : { amount: moneyOf(order.buyer_refunded_cents, order.buyer_currency), refundedAt: order.refunded_at },
  cancellation: cancellationOf(order)
})
