import { Schema } from "effect"
import { Count } from "../../feed/contract/Catalogue.ts"
import { makeRecentTimes } from "./RecentTimes.ts"

/** How an account used its limits: what came with one of its keys, refused requests included. */
export const TalliedRequests = Schema.Struct({
  requests: Count,
  /** Those answered with a 429. */
  refused: Count,
  /** The most that came in any 60 seconds. */
  mostInAMinute: Count
})
export type TalliedRequests = typeof TalliedRequests.Type

/** Counts the requests of one account. */
export interface AccountTally {
  readonly add: (isRefused: boolean) => void
  readonly tallied: () => TalliedRequests
}

/** `now` is in milliseconds. */
export const makeAccountTally = (now: () => number): AccountTally => {
  const recent = makeRecentTimes(60_000)
  const tallied = { requests: 0, refused: 0, mostInAMinute: 0 }
  return {
    add: (isRefused) => {
      const at = now()
      recent.add(at)
      tallied.requests += 1
      if (isRefused) tallied.refused += 1
      tallied.mostInAMinute = Math.max(tallied.mostInAMinute, recent.count(at))
    },
    tallied: () => ({ ...tallied })
  }
}
