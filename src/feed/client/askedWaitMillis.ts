import { statedWaitMillis } from "./statedFigures.ts"

/**
 * How long an answer asks to wait, in milliseconds from now: `retry-after-ms`, else `Retry-After` in seconds or as a
 * date; null when it does not say. Beyond the spec: section 2, retry rule.
 */
export const askedWaitMillis = (
  headers: Readonly<Record<string, string | undefined>>,
  nowMillis: number
): number | null => {
  const after = headers["retry-after"]
  const asked = statedWaitMillis(headers["retry-after-ms"], 1) ?? statedWaitMillis(after, 1000)
  // An absurd number is not a year either.
  if (asked !== null || after === undefined || !Number.isNaN(Number(after))) return asked
  return statedWaitMillis(Math.max(0, Date.parse(after) - nowMillis), 1)
}
