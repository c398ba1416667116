import { Context } from "effect"

/** How often and how long a request is tried again; milliseconds. A reference, so that tests can be quick. */
export interface RetryPolicy {
  /** One attempt, connection and body included. */
  readonly timeoutMillis: number
  /** Retries after the first attempt. A 429 does not count: it has {@link maxRateWaitMillis}. */
  readonly times: number
  /** First wait; doubles with every try up to {@link maxBackoffMillis}, minus up to a quarter of jitter. */
  readonly baseMillis: number
  readonly maxBackoffMillis: number
  /**
   * A server that asks for a longer wait (and not with 429) counts as failed. Beyond the spec: section 2, retry rule.
   */
  readonly maxAskedWaitMillis: number
  /** How long one request waits for its rate limit in total before it gives up. */
  readonly maxRateWaitMillis: number
  /** How often one request is answered 429 before it gives up. */
  readonly rateTimes: number
  /** How long a minute of a rate limit is. */
  readonly minuteMillis: number
}

export const RetryPolicy = Context.Reference<RetryPolicy>("cardlake/client/RetryPolicy", {
  defaultValue: () => ({
    timeoutMillis: 60_000,
    times: 4,
    baseMillis: 500,
    maxBackoffMillis: 8_000,
    maxAskedWaitMillis: 60_000,
    maxRateWaitMillis: 3_600_000,
    rateTimes: 60,
    minuteMillis: 60_000
  })
})
