/** Returns the digits of a number's text, and how many of them precede the decimal point. */
export const parseDecimal = (text: string): { readonly digits: string; readonly point: number } => {
  const [mantissa = "", exponent = "0"] = text.replace(/^-/, "").toLowerCase().split("e")
  const [whole = "", places = ""] = mantissa.split(".")
  return { digits: whole + places, point: whole.length + Number(exponent) }
}

/** Rounds a figure by the digits of its text, half away from 0. */
const roundText = (text: string, places: number): number => {
  const { digits, point } = parseDecimal(text)
  const end = point + places
  if (end < 0) return 0
  return Number(digits.slice(0, end).padEnd(end, "0")) + ((digits[end] ?? "0") >= "5" ? 1 : 0)
}

/**
 * Returns a figure as an integer, scaled by ten to the power of `places`; null if it is not below `most`. It rounds the
 * figure's text half away from 0: 12.34565 is 12.3457, though its double is slightly less. Money is never rounded,
 * because figures that would need it are refused.
 */
export const roundedTo = (places: number, most: number): ((figure: number) => number | null) => {
  const scale = 10 ** places
  return (figure) => {
    const size = Math.abs(figure)
    const scaled = size * scale
    // Unless it is close to a half, the double rounds like its text.
    const isNearHalf = Math.abs(scaled - Math.floor(scaled) - 0.5) < 0.001
    const rounded = isNearHalf ? roundText(String(size), places) : Math.round(scaled)
    if (rounded >= most) return null
    return figure < 0 ? -rounded : rounded
  }
}
