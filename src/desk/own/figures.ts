import { copyWords, currencyWords } from "./parseWords.ts"

/** The character between whole units and decimals. */
export type DecimalMark = "." | ","

const markAfter = (thousands: string): DecimalMark => (thousands === "." ? "," : ".")

/** The parts of a figure: its digits, how many of them are decimals, and the decimal mark that it proves. */
interface Digits {
  readonly digits: string
  readonly places: number
  readonly mark: DecimalMark | null
}

const makeDigits = (whole: string, decimals: string, mark: DecimalMark | null): Digits => ({
  digits: whole.replaceAll(/\D/g, "") + decimals,
  places: decimals.length,
  mark
})

/**
 * Reads unsigned digits. One mark before exactly three digits, as in `1,234`, separates thousands or decimals; only the
 * column's decimal mark tells which, and without it the result is null.
 */
const readDigits = (text: string, known: DecimalMark | null): Digits | null => {
  const plain = /^(?=[.,]?\d)(\d*)(?:([.,])(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text)
  if (plain !== null) {
    const [, whole = "", mark, decimals = "", exponent] = plain
    const isAmbiguous = exponent === undefined && decimals.length === 3 && /^[1-9]\d{0,2}$/.test(whole)
    if (isAmbiguous && known === null) return null
    if (isAmbiguous && known !== mark) return makeDigits(whole + decimals, "", known)
    const read = makeDigits(whole, decimals, (mark as DecimalMark | undefined) ?? null)
    return { ...read, places: read.places - Number(exponent ?? 0) }
  }
  // Thousands are groups of three; India groups by two before the last three.
  const grouped = /^(\d{1,3}(?:([.,' ])\d{3})(?:\2\d{3})*|\d{1,2}(?:,\d{2})+(,)\d{3})(?:([.,])(\d+))?$/.exec(text)
  const [, whole = "", one, indian, sign, after = ""] = grouped ?? []
  const thousands = one ?? indian
  if (thousands === undefined || thousands === sign) return null
  const proved = sign ?? (/[.,]/.test(thousands) ? markAfter(thousands) : null)
  return makeDigits(whole, after, proved as DecimalMark | null)
}

/** Writes digits as a decimal of at most 18 digits and four places; null if it has more. */
const exactDecimal = ({ digits, places }: Digits): string | null => {
  const padded = places > 0 ? digits.padStart(places + 1, "0") : digits + "0".repeat(-places)
  const split = padded.length - Math.max(0, places)
  const whole = padded.slice(0, split).replace(/^0+(?=\d)/, "")
  const decimals = padded.slice(split).replace(/0+$/, "")
  if (whole.length > 14 || decimals.length > 4) return null
  return decimals === "" ? whole : `${whole}.${decimals}`
}

/** Makes spaces, apostrophes and full-width characters plain ones. */
const simplify = (text: string): string =>
  text
    .replaceAll(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    // Shift JIS has the yen in the place of the backslash.
    .replaceAll(/[￥\\]/g, "¥")
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s/g, " ")
    .trim()

/** Splits a text into the only figure in it and what surrounds it; null if it has none or several. */
const splitFigure = (text: string) => {
  // A dot after a letter belongs to the word, as in `kr.400`.
  const found = /^(\D*?)((?:(?<!\p{L})[.,])?\d(?:[\d.,']| (?=\d))*(?:[eE][+-]?\d+)?)(\D*)$/u.exec(simplify(text))
  if (found === null) return null
  const [, before = "", figure = "", after = ""] = found
  // `5.-` and `5,--` say that there are no cents.
  const whole = /^(.*\d)[.,]$/.exec(figure)?.[1]
  if (whole !== undefined && /^\s*[-–—]+/.test(after))
    return { before, figure: whole, after: after.replace(/[-–—]+/, "") }
  return { before, figure, after }
}

/** A figure with the texts around it; `amount` is an exact decimal with at most four places. */
interface Figure {
  readonly amount: string
  readonly before: string
  readonly after: string
}

const minus = /[-−–]/g

const readFigure = (text: string, mark: DecimalMark | null): Figure | null => {
  const parts = splitFigure(text)
  if (parts === null) return null
  const digits = readDigits(parts.figure, mark)
  const amount = digits === null ? null : exactDecimal(digits)
  if (amount === null) return null
  const { after, before } = parts
  const around = before + after
  const brackets = around.replaceAll(/[^()]/g, "")
  if (brackets !== "" && !(brackets === "()" && before.includes("("))) return null
  const signs = (around.match(minus)?.length ?? 0) + (brackets === "" ? 0 : 1)
  const isPlus = around.includes("+")
  // `+5` is 5, and `5+` is five or more.
  if (signs > 1 || (isPlus && (signs > 0 || !/^\s*\+[^+]*$/.test(before) || after.includes("+")))) return null
  const bare = (side: string) => side.replaceAll(minus, "").replaceAll(/[()+]/g, "").trim()
  return { amount: signs === 1 && amount !== "0" ? `-${amount}` : amount, before: bare(before), after: bare(after) }
}

/** Returns the decimal mark that a column's figures prove; null if none proves one, or they contradict each other. */
export const decimalMark = (texts: Iterable<string>): DecimalMark | null => {
  const marks = new Set<DecimalMark>()
  for (const text of texts) {
    const mark = readDigits(splitFigure(text)?.figure ?? "", null)?.mark ?? null
    if (mark !== null) marks.add(mark)
  }
  return marks.size === 1 ? ([...marks][0] ?? null) : null
}

const unit = new RegExp(`^(${copyWords})?\\.?$`, "i")

/** Reads a number of copies: `4`, `4x`, `4.0`, `4 Stk.`; null if the text is anything else. */
export const parseCopies = (text: string, mark: DecimalMark | null = null): number | null => {
  const figure = readFigure(text, mark)
  if (figure === null || !/^\d{1,9}$/.test(figure.amount)) return null
  return unit.test(figure.before + figure.after) ? Number(figure.amount) : null
}

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

/** Currency signs and the codes that each can stand for, the usual one first. */
const signs: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Array<string>>()
  const add = (sign: string, code: string) => found.set(sign, [...new Set([...(found.get(sign) ?? []), code])])
  for (const [sign = "", code = ""] of currencyWords.split(", ").map((one) => one.split(" "))) add(sign, code)
  for (const currencyDisplay of ["symbol", "narrowSymbol"] as const)
    for (const currency of codes) {
      const parts = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay }).formatToParts(1)
      const sign = parts.find(({ type }) => type === "currency")?.value.toLowerCase() ?? ""
      // One letter can be a unit: `5 k` is no price in kyat.
      if (sign !== currency.toLowerCase() && !/^[a-z]$/.test(sign)) add(sign, currency)
    }
  return found
})()

/** Signs of several currencies of which none is the usual one. */
const isShared = new Set(["¥", "kr", "rs"])

/** Currencies that a text can mean. */
export interface CurrencyWord {
  readonly usual: string | null
  readonly all: ReadonlyArray<string>
}

/** Reads a currency's code, sign or name; null if it is unknown. */
export const parseCurrency = (text: string): CurrencyWord | null => {
  const word = simplify(text).replaceAll(/^[.,:]+|[.,:]+$|\s/g, "")
  const code = word.toUpperCase()
  if (codes.has(code)) return { usual: code, all: [code] }
  const all = signs.get(word.toLowerCase())
  return all === undefined ? null : { usual: isShared.has(word.toLowerCase()) ? null : (all[0] ?? null), all }
}

/** An amount of money, and the currencies that its text names. */
export interface Money {
  readonly amount: string
  readonly currency: CurrencyWord | null
}

/** Reads an amount exactly, with at most four decimals; null if any part of the text is not understood. */
export const parseMoney = (text: string, mark: DecimalMark | null = null): Money | null => {
  const figure = readFigure(text, mark)
  if (figure === null) return null
  const [before, after] = [figure.before, figure.after].map((word) => (word === "" ? undefined : parseCurrency(word)))
  if (before === null || after === null) return null
  const currency = before ?? after ?? null
  if (before !== undefined && after !== undefined && !after.all.some((code) => before.all.includes(code))) return null
  return { amount: figure.amount, currency: after?.all.length === 1 ? after : currency }
}
