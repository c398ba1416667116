/**
 * Seconds from a failed attempt to the next one. After the
 * last, the delivery has failed. Beyond the spec: section 14.
 */
const waitSeconds = [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600]

/** Milliseconds to wait after this many failed attempts; undefined: there are no more. */
export const retryWaitMillis = (attempts: number): number | undefined => {
  const seconds = waitSeconds[attempts - 1]
  return seconds === undefined ? undefined : seconds * 1000
}

/** An endpoint that has failed for this long is switched off. Beyond the spec: section 14. */
export const maxFailureMillis = 5 * 24 * 3600 * 1000

/** A slower answer counts as none. Beyond the spec: section 14. */
export const answerSeconds = 15
