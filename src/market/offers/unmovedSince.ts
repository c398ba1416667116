import type { LiveOffers } from "./LiveOffers.ts"

/** Asks later whether the listings of some products are still the ones they are now. */
export const unmovedSince = ({ moves, movedAt }: LiveOffers["Service"], productIds: Float64Array): (() => boolean) => {
  let seen = moves()
  return () => {
    const now = moves()
    if (seen === now) return true
    if (productIds.some((id) => movedAt(id) > seen)) return false
    seen = now
    return true
  }
}
