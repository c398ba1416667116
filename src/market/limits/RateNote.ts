import { Context } from "effect"
import type { RateBucket } from "./RateBucket.ts"

/** What the answer to a request says of its rate limit. The check of the key fills it in. */
export interface RateNote {
  /** `global` of the caller's account; undefined without a valid key. */
  bucket: RateBucket | undefined
  /** Seconds to wait when a bucket was empty. */
  retryAfter: number
}

export const newRateNote = (): RateNote => ({ bucket: undefined, retryAfter: 0 })

/** One for each request. */
export const RateNote = Context.Reference<RateNote>("cardlake/sandbox/RateNote", { defaultValue: newRateNote })
