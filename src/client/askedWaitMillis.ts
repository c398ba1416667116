/**
 * How long an answer asks to wait, in milliseconds from now: `retry-after-ms`, else `Retry-After` in seconds or as a
 * date; null when it does not say. Beyond the spec: section 2, retry rule.
 */
export const askedWaitMillis = (
  headers: Readonly<Record<string, string | undefined>>,
  nowMillis: number
): number | null => {
  const millis = positive(headers["retry-after-ms"])
  if (millis !== null) return millis
  const after = headers["retry-after"]
  const seconds = positive(after)
  if (seconds !== null) return seconds * 1000
  const at = after === undefined ? Number.NaN : Date.parse(after)
  return Number.isNaN(at) ? null : Math.max(0, at - nowMillis)
}

const positive = (text: string | undefined): number | null => {
  if (text === undefined || text.trim() === "") return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : null
}
