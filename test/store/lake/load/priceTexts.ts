import * as fc from "fast-check"

const pad = (figure: number): string => String(figure).padStart(4, "0")

/** Texts of prices that fit four decimal places: any JSON spelling of 0 to nine billion. */
export const fittingPrices: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."0 0.0 -0 0.1 0.10 14.99 1e2 1E+2 1e-4 25e-2 100.0000 1.00000 234567.89 0.0001 1.005 4.35 1.1e0".split(" "),
    ..."8999999999.9999 9000000000 9e9 79228162.5142 4503599627.3705".split(" ")
  ),
  fc.tuple(fc.nat(8_999_999), fc.nat(999), fc.nat(9_999)).map(([a, b, c]) => `${a * 1000 + b}.${pad(c)}`),
  fc.tuple(fc.nat(999_999), fc.nat(99)).map(([whole, cents]) => `${whole}.${pad(cents).slice(2)}`),
  fc.nat(9_000_000_000).map(String)
)

/** Texts that do not fit: too long, too large, negative, no number, more digits than a double holds. */
export const unfittingPrices: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ..."0.00001 1.23456 1e-5 9000000000.0001 9000000001 1e400 -1e400 1e10 -0.01 -5".split(" "),
    ...'"14.99" "NaN" "" true [] {} {"amount":1} 14.990000000000000001 0.1000000000000000055'.split(" ")
  ),
  fc.tuple(fc.nat(99_999), fc.integer({ min: 1, max: 9 })).map(([whole, last]) => `${whole}.0000${last}`),
  fc.integer({ min: -999_999, max: -1 }).map(String)
)

/** A number's text without exponent, sign of zero and trailing zeros: equal for equal decimals. */
export const plainDecimal = (text: string): string => {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e")
  const [whole = "", places = ""] = mantissa.replace("-", "").split(".")
  const digits = (whole + places).padStart(whole.length + places.length, "0")
  const point = whole.length + Number(exponent)
  const padded = digits.padStart(digits.length + Math.max(0, 1 - point), "0")
  const at = Math.max(1, point)
  const left = padded
    .padEnd(at, "0")
    .slice(0, at)
    .replace(/^0+(?=\d)/, "")
  const right = padded.slice(at).replace(/0+$/, "")
  return right === "" ? left : `${left}.${right}`
}
