import * as known from "./valueWords.ts"

const special: Readonly<Record<string, string>> = { ß: "ss", ł: "l", ø: "o", đ: "d", ı: "i", æ: "ae", œ: "oe" }

/** Keeps the results of a function of texts, because a file repeats its words in every row. */
export const remembering = <A>(parse: (text: string) => A): ((text: string) => A) => {
  const results = new Map<string, A>()
  return (text) => {
    const kept = results.get(text)
    if (kept !== undefined || results.has(text)) return kept as A
    const result = parse(text)
    if (results.size < 10_000) results.set(text, result)
    return result
  }
}

/** Returns the words of a text in lower case, without accents and punctuation. `NearMint` is two words. */
export const foldWords = remembering((text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[̀-ͯ'’]/g, "")
    .replaceAll(/[ßłøđıæœ]/g, (letter) => special[letter] ?? letter)
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}✓✔]+/u)
    .filter((word) => word !== "")
)

const whole = (words: string): RegExp => new RegExp(`^(?:${words})$`)
const [yes, no, denial] = [whole(known.yesWords), whole(known.noWords), whole(known.denials)]
const [foil, otherFoil] = [whole(`${known.foilWords}|${known.otherFoilWords}`), whole(known.otherFoilWords)]
const [ordinary, named] = [whole(known.ordinaryWords), whole(`${known.ordinaryWords}|${known.ordinaryNames}`)]

/** A whole number as spreadsheets write it: `1.0` is 1. */
export const withoutZeros = (text: string): string => text.replace(/^(\d+)[.,]0+$/, "$1")

/** Reads yes or no. A word of the column's own subject, as in `signed`, is yes; null = not understood. */
export const parseFlag = (text: string, subject: RegExp): boolean | null => {
  const words = foldWords(withoutZeros(text))
  if (words.length === 0 || no.test(words.join(""))) return false
  if (words.some((word) => word.startsWith("un") && subject.test(word.slice(2)))) return false
  if (words.some((word) => subject.test(word))) return !denial.test(words[0] ?? "") && !no.test(words.at(-1) ?? "")
  return words.every((word) => yes.test(word)) ? true : null
}

/** A condition, and the words after it, as in `Near Mint Foil`; `code` is null if the text begins with no condition. */
export interface ConditionText {
  readonly code: string | null
  readonly rest: string
}

const conditions = Object.entries(known.conditionWords).map(([code, words]) => [code, whole(words)] as const)

const findCondition = (key: string): string | null => conditions.find(([, words]) => words.test(key))?.[0] ?? null

/** Reads the condition that a text begins with, by its longest known words. */
export const parseCondition: (text: string) => ConditionText = remembering((text) => {
  const words = foldWords(text).filter((word) => word !== "condition")
  for (let count = Math.min(words.length, 5); count > 0; count--) {
    const code = findCondition(words.slice(0, count).join(""))
    if (code === null) continue
    // `NM/LP` is a range.
    const isRange = words.slice(count).some((word) => (findCondition(word) ?? code) !== code)
    const rest = words.slice(count).join(" ")
    // `Near Mint (NM)` says it twice.
    const again = parseCondition(rest)
    return isRange ? { code: null, rest: text } : { code, rest: again.code === code ? again.rest : rest }
  }
  return { code: null, rest: text }
})

const languages: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string>()
  const key = (name: string) => foldWords(name).join("")
  for (const locale of known.nameLocales) {
    const names = new Intl.DisplayNames([locale], { type: "language", fallback: "none" })
    for (const code of known.printedIn) found.set(key(names.of(code) ?? code), code)
    found.set(key(names.of("pt-BR") ?? ""), "pt")
  }
  for (const code of known.printedIn) found.set(key(code), code)
  for (const [name = "", code = ""] of known.languageWords.split(", ").map((one) => one.split(" ")))
    found.set(name, code)
  return found
})()

const codesOfLanguages = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" })

/** Reads a language by its name or code; null if it is unknown. */
export const parseLanguage = remembering((text: string): string | null => {
  const found = languages.get(foldWords(text).join(""))
  if (found !== undefined) return found
  const code = /^([a-z]{2,3})([-_][a-z]{2})?$/.exec(text.trim().toLowerCase())?.[1]
  if (code !== undefined) return codesOfLanguages.of(code) === undefined ? null : code
  // `Deutsch (DE)` and `EN - English` say it twice.
  const twice = new Set(text.match(/[\p{L}\p{M}]+/gu)?.map((word) => languages.get(foldWords(word).join(""))))
  return twice.size === 1 ? ([...twice][0] ?? null) : null
})

/** Splits off the language at the end of a text, as in `Near Mint Foil - Japanese` and `NM Foil German`. */
export const splitLanguage = (text: string): readonly [text: string, language: string | null] => {
  for (const end of [/^(.*) - ([^-]{4,})$/, /^(.*\S)[\s,(-]+([^\s,()-]{4,})\)?$/]) {
    const [, before = "", tail = ""] = end.exec(text) ?? []
    const language = tail === "" ? null : parseLanguage(tail)
    if (language !== null) return [before, language]
  }
  return [text, null]
}

/**
 * Returns a finish without yes, no, denials and translations: empty for the ordinary card, `foil` for a foil of any kind,
 * null if it denies something else than foil, or only one of several finishes, as in `foil/nonfoil`.
 */
export const parseFinish = remembering((text: string): string | null => {
  const words = foldWords(withoutZeros(text))
  const joined = words.join("")
  if (words.length === 0 || no.test(joined) || ordinary.test(joined)) return ""
  if (yes.test(joined) || otherFoil.test(joined)) return "foil"
  const denied = words.findIndex((word) => denial.test(word) || no.test(word))
  const foils = words.filter((word) => foil.test(word)).length
  const isOrdinary = (word: string) => named.test(word)
  if (words.length > 1 && words.every(isOrdinary)) return ""
  // `Regular Foil` is a foil, and `Normal/Foil` one of two.
  const isOne = foils === 0 || !words.some(isOrdinary) || /^(normal|standard|regular)[\p{L}\s]+$/iu.test(text.trim())
  if (denied === -1) return isOne ? text.trim() : null
  // A denial stands first, last, or behind the name of the ordinary finish: `Standard (Non-Foil)`.
  const isOfAll = denied === words.length - 1 || words.slice(0, denied).every(isOrdinary)
  return foils === 1 && isOfAll ? "" : null
})
