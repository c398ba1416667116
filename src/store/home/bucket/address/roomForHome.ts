import { Effect, Schema } from "effect"
import type { BucketStore } from "../BucketStore.ts"
import { outsideOtherHomes } from "./homeAround.ts"
import { homeIsThere } from "./homeIsThere.ts"

/** What lies there is not ours. */
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

/** What may be there before anything of a home is: what a first run tried and spent, a reader's cards, the prefix itself. */
const isOurs = (name: string): boolean => /^(probes\/|keys\/|own\/|)$/.test(name)

/** Whether a home is at an address. Where none is, fails unless one may begin there. */
export const roomForHome = Effect.fnUntraced(function* (store: BucketStore) {
  if (yield* homeIsThere(store)) return true
  yield* outsideOtherHomes(store)
  const holds = (yield* store.first("", "/")).names.filter((name) => !isOurs(name))
  if (holds.length === 0) return false
  // Another first run may have begun meanwhile.
  if (yield* homeIsThere(store)) return true
  return yield* new BucketForeign({ address: store.address, holds })
})
