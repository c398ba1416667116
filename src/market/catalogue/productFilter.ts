import { Effect } from "effect"
import type { SearchRequest, AttributeFilter } from "../../feed/contract/SearchRequest.ts"
import type { ProductFacts, ProductShelf } from "./StoredCatalogue.ts"
import { badRequest } from "../answers/refusals.ts"
import { LiveCatalogue, openLive } from "./LiveCatalogue.ts"

type Json = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

/** True if the value, or an element of a list, equals `wanted`. Texts are compared ignoring case. */
const has = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value)
    ? value.some((each) => has(each, wanted))
    : String(value).toLowerCase() === String(wanted).toLowerCase()

const parseTest = ({ max, min, op, value, values }: AttributeFilter): Test | undefined => {
  if (values !== undefined) {
    if (op === "or" || op === undefined) return (found) => values.some((wanted) => has(found, wanted))
    return op === "and" ? (found) => values.every((wanted) => has(found, wanted)) : undefined
  }
  if (value !== undefined) {
    if (op === "=" || op === undefined) return (found) => has(found, value)
    if (typeof value !== "number") return undefined
    if (op === ">") return (found) => typeof found === "number" && found > value
    return op === "<" ? (found) => typeof found === "number" && found < value : undefined
  }
  if (typeof min !== "number" && typeof max !== "number") return undefined
  const from = typeof min === "number" ? min : -Infinity
  const to = typeof max === "number" ? max : Infinity
  return (found) => typeof found === "number" && found >= from && found <= to
}

/**
 * Tests a card's `attributes` against `gameFilters.filters`: `{op, values[]}`, `{op: = > <, value}`, `{min, max}` or
 * `{value}`. For any other shape it fails with a 400 that names the attribute. Beyond the spec: section 6.
 */
const attributeFilter = (filters: Readonly<Record<string, AttributeFilter>>) =>
  Effect.forEach(Object.entries(filters), ([name, filter]) => {
    const test = parseTest(filter)
    return test === undefined
      ? Effect.fail(
          badRequest(`gameFilters.filters.${name}`, "give {op, values[]}, {op: = > <, value}, {min, max} or {value}")
        )
      : Effect.succeed((attributes: Json) => Object.hasOwn(attributes, name) && test(attributes[name]))
  }).pipe(Effect.map((tests) => (attributes: Json) => tests.every((test) => test(attributes))))

const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d)/, "")

/** Returns the short forms of a print number: `44` for `044/200`. */
const listNumbers = ({ printNumber }: ProductFacts): ReadonlyArray<string> => {
  const number = printNumber.toLowerCase()
  const [ofSet = ""] = number.split("/")
  return number === "" ? [] : [number, ofSet, withoutZeros(ofSet)]
}

/** True for `dun-4`, `dun 4` or `dun4` if the product is number 4 of the expansion DUN. */
const isCodeAndNumber = (facts: ProductFacts, text: string): boolean => {
  const code = facts.expansionCode.toLowerCase()
  if (code === "" || !text.startsWith(code)) return false
  const rest = text.slice(code.length).replace(/^[- ]/, "")
  return listNumbers(facts).includes(rest)
}

/**
 * True if a number is the print number or a word of the name, or another word is in name, print number or expansion
 * code. Parts of words match, because hyphens and commas often join names.
 */
const matchesWord = (facts: ProductFacts, word: string): boolean => {
  if (/^\d+$/.test(word)) {
    return listNumbers(facts).includes(withoutZeros(word)) || facts.name.split(/[^\p{L}\p{N}]+/u).includes(word)
  }
  const searched = `${facts.name} ${facts.printNumber} ${facts.expansionCode}`.toLowerCase()
  return searched.includes(word) || isCodeAndNumber(facts, word)
}

/**
 * Tests a product against a name. The first match applies: expansion code and print number, expansion code, or every
 * word. Case is ignored. Beyond the spec: section 6, `name`.
 */
const nameFilter = (shelf: ProductShelf, name: string): ((facts: ProductFacts) => boolean) => {
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

/** The filters of a search: its body without game, sort and paging. */
type ProductFilters = Omit<SearchRequest, "limit" | "offset" | "sortBy" | "sortDirection" | "listings">

/** Normalizes ids, which may be numbers or digit strings. Beyond the spec: section 1. */
export const requestIds = (ids: SearchRequest["productIds"] | SearchRequest["expansionId"]): ReadonlyArray<string> =>
  ids === undefined ? [] : (Array.isArray(ids) ? ids : [ids]).map((id) => BigInt(id).toString())

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Returns a test of one product against all given filters. Spec: filters apply before pagination. */
export const productFilter = Effect.fnUntraced(function* (shelf: ProductShelf, filters: ProductFilters) {
  const tests: Array<(facts: ProductFacts, index: number) => boolean> = []
  const { name, printNumber, nameSlug, productIds, expansionId, productType, productCategory } = filters
  if (productIds !== undefined) {
    const wanted = new Set(requestIds(productIds))
    tests.push((facts) => wanted.has(facts.id))
  }
  if (expansionId !== undefined) {
    const wanted = new Set(requestIds(expansionId))
    tests.push((facts) => wanted.has(facts.expansionId))
  }
  if (productType !== undefined) {
    const { op, values } = productType
    tests.push((facts) =>
      op === "or"
        ? values.some((value) => value === facts.productType)
        : values.every((value) => value === facts.productType)
    )
  }
  if (productCategory !== undefined) tests.push((facts) => facts.productCategory === productCategory)
  if (name !== undefined) tests.push(nameFilter(shelf, name))
  if (nameSlug !== undefined) tests.push((facts) => sameText(facts.nameSlug, nameSlug))
  if (printNumber !== undefined) tests.push((facts) => sameText(facts.printNumber, printNumber))
  for (const source of ["sourceEur", "sourceUsd"] as const) {
    const wanted = new Set(filters[source])
    if (wanted.size > 0) tests.push((facts) => facts[source].some((id) => wanted.has(id)))
  }
  const attributes = filters.gameFilters?.filters
  if (attributes !== undefined) {
    const matches = yield* attributeFilter(attributes)
    tests.push((_, index) => matches(JSON.parse(Buffer.from(shelf.text(index)).toString()).attributes ?? {}))
  }
  return (facts: ProductFacts, index: number) => tests.every((test) => test(facts, index))
})

/** Returns the ids whose live product passes the filters. Fails with 400 for an invalid attribute filter. */
export const chosenProducts = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, filters: ProductFilters) {
  const { games } = yield* LiveCatalogue
  const wanted = filters.gameFilters?.game
  const chosen: Array<number> = []
  for (const game of games.values()) {
    if (wanted !== undefined && game.stored.game.id !== wanted) continue
    const { products } = yield* openLive(game)
    const matches = yield* productFilter(products, filters)
    for (const id of ids) {
      const index = products.find(String(id))
      if (index !== undefined && matches(products.facts(index), index)) chosen.push(id)
    }
  }
  return chosen
})
