import { showBalance, type WalletRow } from "../accounts/accounts.ts"
import type { MarketCurrency } from "../contract/Money.ts"
import type { OrderStatus } from "../contract/orders/orderParts.ts"
import { emit } from "../events/emit.ts"
import { convertCents } from "../money/exchange.ts"
import type { Transaction } from "../state/State.ts"
import type { OrderRow } from "./OrderRow.ts"

/** The seller's fee in percent of items that were not refunded. Beyond the spec: section 12, 5 % in the example. */
export const sellerFeePercent = 5

/** Our value, as neither document has one: the buyer's service fee in percent of the items. */
const buyerFeePercent = 2

/** Our values: tax in percent of items and shipping. Prices in Europe include it. */
const taxPercent = { eu: 0, na: 8 } as const
export type Region = keyof typeof taxPercent

/** Our value: the seller's parcel insurance in percent of the items, at most the shipping price. */
const insurancePercent = 1

const takePercent = (cents: number, percent: number): number => Math.round((cents * percent) / 100)

/** Items in the seller's currency, and their delivery address. */
export interface Bought {
  readonly items: ReadonlyArray<{ readonly unitCents: number; readonly quantity: number }>
  readonly shippingCents: number
  readonly isInsured: boolean
  readonly sellerCurrency: MarketCurrency
  readonly buyerCurrency: MarketCurrency
  readonly region: Region
}

const sumItems = (items: Bought["items"]): number =>
  items.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)

/**
 * Computes both sides of a new order. Each unit price is converted separately, so that unit prices, line totals and
 * subtotal add up in the buyer's currency.
 */
export const orderMoney = (bought: Bought) => {
  const { buyerCurrency, isInsured, items, region, sellerCurrency, shippingCents } = bought
  const paid = items.map(({ unitCents, quantity }) => ({
    unitCents: convertCents(unitCents, sellerCurrency, buyerCurrency),
    quantity
  }))
  const subtotal = sumItems(items)
  const buyerSubtotal = sumItems(paid)
  const buyerShipping = convertCents(shippingCents, sellerCurrency, buyerCurrency)
  const buyerFee = takePercent(buyerSubtotal, buyerFeePercent)
  const tax = takePercent(buyerSubtotal + buyerShipping, taxPercent[region])
  return {
    subtotal,
    shipping: shippingCents,
    insurance: isInsured ? Math.min(takePercent(subtotal, insurancePercent), shippingCents) : 0,
    buyerUnits: paid.map(({ unitCents }) => unitCents),
    buyerSubtotal,
    buyerShipping,
    buyerFee,
    tax,
    total: buyerSubtotal + buyerShipping + buyerFee + tax
  }
}

/** Returns the seller's costs and payout after all refunds. The fee excludes refunded items. */
export const sellerMoney = (order: OrderRow) => {
  const { subtotal_cents, shipping_cents, insurance_cents, refunded_cents } = order
  const fee = takePercent(Math.max(0, subtotal_cents - refunded_cents), sellerFeePercent)
  const left = subtotal_cents + shipping_cents - refunded_cents - fee
  const premium = Math.min(insurance_cents, left)
  return { fee, premium, payout: left - premium }
}

/** Shipped but not final statuses, in which the seller's money is pending. */
export const underway: ReadonlySet<OrderStatus> = new Set(["shipped", "delivered", "dispute_open", "dispute_escalated"])

/** True if the payout is known: from shipping on, unless the order was cancelled. Spec: SalePayout. */
export const isPayoutKnown = ({ status, paid_out_at }: OrderRow): boolean =>
  underway.has(status) || status === "completed" || status.startsWith("resolved_") || paid_out_at !== null

/** Returns the amounts of an order in the seller's wallet. */
const inWallet = (order: OrderRow) => {
  const { payout } = sellerMoney(order)
  return { pending: underway.has(order.status) ? payout : 0, available: order.paid_out_at === null ? 0 : payout }
}

/** Updates the seller's wallet after an order change and emits the balance. Beyond the spec: sections 9 and 14. */
export const updateWallet = (tx: Transaction, before: OrderRow, after: OrderRow): void => {
  const [was, is] = [inWallet(before), inWallet(after)]
  const pending = is.pending - was.pending
  const available = is.available - was.available
  if (pending === 0 && available === 0) return
  const wallet = tx.one<WalletRow>(
    `update wallets set pending_cents = pending_cents + :pending, available_cents = available_cents + :available,
       updated_at = :at
     where account_id = :seller returning *`,
    { pending, available, at: tx.at, seller: after.seller_id }
  )
  if (wallet === undefined) throw new Error(`The seller ${after.seller_id} has no wallet`)
  emit(tx, after.seller_id, { type: "balance.updated", data: showBalance(wallet) })
}
