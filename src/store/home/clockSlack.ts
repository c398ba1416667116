/** A time this far ahead of our clock is in the future, and not just another machine's clock. */
export const clockSlackMillis = 5 * 60 * 1000
