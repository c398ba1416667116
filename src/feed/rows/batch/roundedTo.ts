/** The digits of a number's text, and how many of them are before the point. */
export const decimalOf = (text: string): { readonly digits: string; readonly point: number } => {
  const [mantissa = "", exponent = "0"] = text.replace(/^-/, "").toLowerCase().split("e")
  const [whole = "", places = ""] = mantissa.split(".")
  return { digits: whole + places, point: whole.length + Number(exponent) }
}

/** As many places of a figure as the text of it has, rounded half away from 0. */
const roundText = (text: string, places: number): number => {
  const { digits, point } = decimalOf(text)
  const end = point + places
  if (end < 0) return 0
  return Number(digits.slice(0, end).padEnd(end, "0")) + ((digits[end] ?? "0") >= "5" ? 1 : 0)
}

/**
 * A figure as a decimal of so many places, times ten to their power; null if it is not below `most`. Rounds the text of
 * the figure, half away from 0: 12.34565 is 12.3457, though its double is a little less. Money is never rounded:
 * whatever would need it was refused.
 */
export const roundedTo = (places: number, most: number): ((figure: number) => number | null) => {
  const scale = 10 ** places
  return (figure) => {
    const size = Math.abs(figure)
    const scaled = size * scale
    // Far from a half the double rounds as its text does.
    const isNearHalf = Math.abs(scaled - Math.floor(scaled) - 0.5) < 0.001
    const rounded = isNearHalf ? roundText(String(size), places) : Math.round(scaled)
    if (rounded >= most) return null
    return figure < 0 ? -rounded : rounded
  }
}
