import type { ProductFacts } from "./productFacts.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"

const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d)/, "")

/** A print number as people write it: `44` of `044/200`. */
const numbersOf = ({ printNumber }: ProductFacts): ReadonlyArray<string> => {
  const number = printNumber.toLowerCase()
  const [ofSet = ""] = number.split("/")
  return number === "" ? [] : [number, ofSet, withoutZeros(ofSet)]
}

/** `dun-4`, `dun 4` and `dun4`, if the product is number 4 of the expansion DUN. */
const isCodeAndNumber = (facts: ProductFacts, text: string): boolean => {
  const code = facts.expansionCode.toLowerCase()
  if (code === "" || !text.startsWith(code)) return false
  const rest = text.slice(code.length).replace(/^[- ]/, "")
  return numbersOf(facts).includes(rest)
}

/**
 * A number is the print number or a word of the name; any other word is in name, print number or expansion code.
 * Names are often joined by a hyphen or a comma, so parts of words match too.
 */
const matchesWord = (facts: ProductFacts, word: string): boolean => {
  if (/^\d+$/.test(word)) {
    return numbersOf(facts).includes(withoutZeros(word)) || facts.name.split(/[^\p{L}\p{N}]+/u).includes(word)
  }
  const searched = `${facts.name} ${facts.printNumber} ${facts.expansionCode}`.toLowerCase()
  return searched.includes(word) || isCodeAndNumber(facts, word)
}

/**
 * What a name asks for: a card by the code of its expansion and its print number, else an expansion by its
 * code, else what every word matches, ignoring case. Beyond the spec: section 6, `name`.
 */
export const nameFilter = (shelf: ProductShelf, name: string): ((facts: ProductFacts) => boolean) => {
  const words = name
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const text = words.join(" ")
  const exact = [
    (facts: ProductFacts) => isCodeAndNumber(facts, text),
    (facts: ProductFacts) => facts.expansionCode.toLowerCase() === text
  ]
  const isFound = (test: (facts: ProductFacts) => boolean) => {
    for (let index = 0; index < shelf.size; index++) if (test(shelf.facts(index))) return true
    return false
  }
  return exact.find(isFound) ?? ((facts) => words.every((word) => matchesWord(facts, word)))
}
