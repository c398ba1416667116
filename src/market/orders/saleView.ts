import type { MarketCurrency } from "../contract/Money.ts"
import type { SaleItem } from "../contract/orders/OrderItem.ts"
import type { Sale, SaleDetail } from "../contract/orders/Sale.ts"
import { moneyOf } from "../state/cents.ts"
import type { Store } from "../state/Store.ts"
import { sellerFeePercent, sellerMoney } from "./orderMoney.ts"
import { buyerParty } from "./orderParty.ts"
import { type ItemRow, itemsOf, type OrderRow, readMetadata } from "./OrderRow.ts"
import { addressOf, cancellationOf, datesOf, itemOf, type KnownProducts, shippingOf } from "./orderView.ts"
import { isPayoutKnown } from "./saveOrder.ts"

const saleItemOf = (item: ItemRow, currency: MarketCurrency, known: KnownProducts): SaleItem => ({
  ...itemOf(item, { unitCents: item.unit_cents, currency }, known),
  inventoryId: item.inventory_id,
  customId: item.custom_id
})

/** An order as its seller sees it, in the seller's currency. Spec: Sale. */
export const saleOf = (store: Store, order: OrderRow, known: KnownProducts): Sale => {
  const currency = order.seller_currency
  const { fee, payout } = sellerMoney(order)
  return {
    ...datesOf(order),
    currency,
    items: itemsOf(store, order.order_number).map((item) => saleItemOf(item, currency, known)),
    subtotal: moneyOf(order.subtotal_cents, currency),
    shippingAmount: moneyOf(order.shipping_cents, currency),
    sellerFee: { percentage: sellerFeePercent, amount: moneyOf(fee, currency) },
    payout: {
      amount: isPayoutKnown(order) ? moneyOf(payout, currency) : null,
      eligibleAt: order.payout_eligible_at,
      paidOutAt: order.paid_out_at
    },
    refunded: moneyOf(order.refunded_cents, currency),
    buyer: buyerParty(store, order.buyer_id),
    shippingAddress: addressOf(order),
    metadata: readMetadata(order)
  }
}

/** A single sale, with its parcel. Beyond the spec: section 12. */
export const saleDetailOf = (store: Store, order: OrderRow, known: KnownProducts): SaleDetail => ({
  ...saleOf(store, order, known),
  shipping: shippingOf(store, order),
  cancellation: cancellationOf(order)
})
