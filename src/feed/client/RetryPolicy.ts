import { Context } from "effect"

/** The limits of retries, in milliseconds. It is a reference, so that tests can be quick. */
export interface RetryPolicy {
  /** The time-out of one attempt, connection and body included. */
  readonly timeoutMillis: number
  /** The maximum number of retries. A 429 does not count, because {@link maxRateWaitMillis} limits it. */
  readonly times: number
  /** The first wait. It doubles with every retry up to {@link maxBackoffMillis}, minus up to a quarter of jitter. */
  readonly baseMillis: number
  readonly maxBackoffMillis: number
  /** The maximum wait that a server may require, except with 429. Beyond the spec: section 2, retry rule. */
  readonly maxRequiredWaitMillis: number
  readonly maxRateWaitMillis: number
  /** The maximum number of 429 answers to one request. */
  readonly rateTimes: number
  /** The length of a minute of a rate limit. */
  readonly minuteMillis: number
}

export const RetryPolicy = Context.Reference<RetryPolicy>("cardlake/client/RetryPolicy", {
  defaultValue: () => ({
    timeoutMillis: 60_000,
    times: 4,
    baseMillis: 500,
    maxBackoffMillis: 8_000,
    maxRequiredWaitMillis: 60_000,
    maxRateWaitMillis: 3_600_000,
    rateTimes: 60,
    minuteMillis: 60_000
  })
})
