import { factOfRequest } from "./factOfRequest.ts"
import type { RateBucket } from "./RateBucket.ts"

/** What the answer to a request says of its rate limit. The check of the key fills it in. */
export interface RateNote {
  /** `global` of the caller's account; undefined without a valid key. */
  bucket: RateBucket | undefined
  /** Seconds to wait when a bucket was empty. */
  retryAfter: number
}

export const RateNote = factOfRequest<RateNote>({ bucket: undefined, retryAfter: 0 })
