/** A time lies in the future, and not just in the clock of another machine, when it is so far ahead of this one's. */
export const clockSlackMillis = 5 * 60 * 1000
