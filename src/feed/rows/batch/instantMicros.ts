const pattern = /^((\d{4}-\d{2}-(\d{2}))T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))$/

/** Texts that were met: a night has few dates. */
const met = new Map<string, bigint | null>()
const maxMet = 10_000

const parsed = (text: string): bigint | null => {
  const [, seconds = "", date = "", day, fraction = "", sign, hours, minutes] = pattern.exec(text) ?? []
  const millis = Date.parse(`${seconds}Z`)
  // A day that the month does not have (02-31) is moved on by Date.
  if (Number.isNaN(Date.parse(text)) || new Date(`${date}T00:00:00Z`).getUTCDate() !== Number(day)) return null
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
  return BigInt(millis - offset * 60_000) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6))
}

/** Microseconds since 1970 of an instant with its zone; null where the text is none, as `nullT00:00:00.000Z`. */
export const instantMicros = (text: string): bigint | null => {
  const known = met.get(text)
  if (known !== undefined) return known
  const micros = parsed(text)
  if (met.size === maxMet) met.clear()
  met.set(text, micros)
  return micros
}
