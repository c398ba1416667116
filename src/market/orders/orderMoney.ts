import type { MarketCurrency } from "../contract/Money.ts"
import { convertCents } from "../money/exchange.ts"

/**
 * The seller's fee, in percent of the items that were not refunded. Beyond the spec: section 12, 5 % in the example.
 */
export const sellerFeePercent = 5

/** Ours, where neither document has a figure: percent of the items that the buyer pays for the service. */
const buyerFeePercent = 2

/** Ours: tax on items and shipping. In Europe it is part of the prices. */
const taxPercent = { eu: 0, na: 8 } as const
export type Region = keyof typeof taxPercent

/** Ours: what a seller pays to have a parcel insured, in percent of its items and at most the shipping. */
const insurancePercent = 1

const percentOf = (cents: number, percent: number): number => Math.round((cents * percent) / 100)

/** What is bought, priced in the seller's currency, and where it goes. */
export interface Bought {
  readonly items: ReadonlyArray<{ readonly unitCents: number; readonly quantity: number }>
  readonly shippingCents: number
  readonly isInsured: boolean
  readonly sellerCurrency: MarketCurrency
  readonly buyerCurrency: MarketCurrency
  readonly region: Region
}

const sumOf = (items: Bought["items"]): number =>
  items.reduce((sum, { unitCents, quantity }) => sum + unitCents * quantity, 0)

/**
 * Both sides of a new order. Each unit is converted to the buyer's currency
 * by itself, so that unit prices, line totals and subtotal add up there, too.
 */
export const orderMoney = (bought: Bought) => {
  const { buyerCurrency, isInsured, items, region, sellerCurrency, shippingCents } = bought
  const paid = items.map(({ unitCents, quantity }) => ({
    unitCents: convertCents(unitCents, sellerCurrency, buyerCurrency),
    quantity
  }))
  const subtotal = sumOf(items)
  const buyerSubtotal = sumOf(paid)
  const buyerShipping = convertCents(shippingCents, sellerCurrency, buyerCurrency)
  const buyerFee = percentOf(buyerSubtotal, buyerFeePercent)
  const tax = percentOf(buyerSubtotal + buyerShipping, taxPercent[region])
  return {
    subtotal,
    shipping: shippingCents,
    insurance: isInsured ? Math.min(percentOf(subtotal, insurancePercent), shippingCents) : 0,
    buyerUnits: paid.map(({ unitCents }) => unitCents),
    buyerSubtotal,
    buyerShipping,
    buyerFee,
    tax,
    total: buyerSubtotal + buyerShipping + buyerFee + tax
  }
}

/** Cents of the seller's side that decide what is paid out. */
export interface SellerSide {
  readonly subtotal_cents: number
  readonly shipping_cents: number
  readonly insurance_cents: number
  readonly refunded_cents: number
}

/** What the seller pays and gets after the refunds so far: the fee is only for items that were not refunded. */
export const sellerMoney = (side: SellerSide) => {
  const { subtotal_cents, shipping_cents, insurance_cents, refunded_cents } = side
  const fee = percentOf(Math.max(0, subtotal_cents - refunded_cents), sellerFeePercent)
  const left = subtotal_cents + shipping_cents - refunded_cents - fee
  const premium = Math.min(insurance_cents, left)
  return { fee, premium, payout: left - premium }
}
