// Generated from the contract by: node test/sdk/writeWire.ts
import type { Condition, Country, Graded, ListingSeller, Money } from "./shared.ts"

/** Listings of one region. `deliveryCountry` is null while the cart is empty. */
export interface Cart {
  deliveryCountry: Country | null
  itemCount: number
  sellers: Array<CartSeller>
}

export interface CartSeller {
  seller: ListingSeller
  itemsSubtotal: Money
  items: Array<CartItem>
}

/** What is in the cart of one listing. Nothing is reserved. */
export interface CartItem {
  listingId: string
  productId: number
  productName: string
  imageUrl: string | null
  condition: Condition | null
  language: string | null
  finish: string
  graded: Graded | null
  quantity: number
  unitPrice: Money
  lineTotal: Money
  /** ISO 8601, UTC. */
  addedAt: string
}

/** Replaces the quantity; 0 removes the item. */
export interface CartQuantity {
  quantity: number
}

/** The cart after the call, and what did not get into it; `index` counts the request's items from 0. */
export interface AddedToCart {
  cart: Cart
  errors: Array<CartError>
}

export interface CartError {
  index: number
  listingId: string
  code: "LISTING_NOT_FOUND" | "OWN_LISTING" | "INSUFFICIENT_QUANTITY" | "QUANTITY_LIMIT_EXCEEDED" | "REGION_MISMATCH" | "SELLER_DOES_NOT_SHIP_TO_COUNTRY" | "SELLER_UNAVAILABLE" | "BUYER_EXCLUDED"
  data: Record<string, unknown>
}

/** Listings to add. Another delivery country switches the cart to it. */
export interface AddToCart {
  deliveryCountry: Country
  items: ReadonlyArray<CartAddition>
}

export interface CartAddition {
  listingId: string
  quantity: number
}
