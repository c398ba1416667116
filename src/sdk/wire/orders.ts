// Generated from the contract by: node test/sdk/writeWire.ts
import type { Country, Rating, SellerType } from "./shared.ts"

/** Who cancelled an order and why; `system` is the service itself. */
export interface Cancellation {
  /** ISO 8601, UTC. */
  cancelledAt: string
  cancelledBy: "buyer" | "seller" | "system"
  reason: string
  reasonText: string | null
}

/** The parcel. `status` is the latest scan, null before the first; `history` is oldest first. */
export interface Shipping {
  trackingNumber: string | null
  carrier: string | null
  trackingUrl: string | null
  status: string | null
  /** ISO 8601, UTC. */
  shippedAt: string | null
  /** ISO 8601, UTC. */
  deliveredAt: string | null
  history: Array<TrackingScan> | null
}

/** One scan of a carrier. */
export interface TrackingScan {
  status: string
  /** ISO 8601, UTC. */
  occurredAt: string
  location: string | null
  description: string | null
}

/** Where an order goes. */
export interface ShippingAddress {
  recipientName: string
  line1: string
  line2: string | null
  city: string
  state: string | null
  postalCode: string
  countryCode: Country
  phone: string | null
}

/** The other side of an order. `reliability` is null for a buyer, and with too few recent orders. */
export interface OrderParty {
  id: string
  username: string
  avatarUrl: string | null
  country: Country | null
  type: SellerType | null
  rating: Rating
  reliability: Reliability | null
}

/** How a seller handled recent orders. `completionRate` is a fraction from 0 to 1; `avgShipTimeHours` is in hours. */
export interface Reliability {
  orderCount: number
  completedCount: number
  /** 0 to 1. */
  completionRate: number | null
  avgShipTimeHours: number | null
}
