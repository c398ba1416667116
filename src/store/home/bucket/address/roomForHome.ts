import { Effect, Schema } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { outsideOtherHomes } from "./homeAround.ts"
import { homeIsThere } from "./homeIsThere.ts"

/** The address has objects of another program. */
export class BucketForeign extends Schema.TaggedError<BucketForeign>()("BucketForeign", {
  address: Schema.String,
  holds: Schema.Array(Schema.String)
}) {
  override get message() {
    const names = this.holds.slice(0, 3).map((name) => JSON.stringify(name))
    const more = this.holds.length > 3 ? ["more"] : []
    return `${this.address} is not empty and not a Cardlake home: it contains ${[...names, ...more].join(", ")}. Nothing was written to it. Name another prefix with CARDLAKE_HOME or --home`
  }
}

/** True for objects that may precede a home: probes and budgets of a first run, a reader's cards, the prefix itself. */
const isOurs = (name: string): boolean => /^(probes\/|keys\/|own\/|)$/.test(name)

/** True if an address has a home. Otherwise fails unless a home can be created there. */
export const roomForHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (yield* homeIsThere(store)) return true
  yield* outsideOtherHomes(store)
  const holds = (yield* store.first("", "/")).filter((name) => !isOurs(name))
  if (holds.length === 0) return false
  // Another first run may have created the home in the meantime.
  if (yield* homeIsThere(store)) return true
  return yield* new BucketForeign({ address: store.address, holds })
})
