import { Effect } from "effect"
import type { SearchRequest, AttributeFilter } from "../../feed/contract/SearchRequest.ts"
import type { ProductFacts, ProductShelf } from "./StoredCatalogue.ts"
import { badRequest } from "../answers/refusals.ts"
import { LiveCatalogue, openLive } from "./LiveCatalogue.ts"

type Json = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

/** An attribute that is a list has each of its values. Texts are equal ignoring case. */
const has = (value: unknown, wanted: unknown): boolean =>
  Array.isArray(value)
    ? value.some((each) => has(each, wanted))
    : String(value).toLowerCase() === String(wanted).toLowerCase()

const testOf = ({ max, min, op, value, values }: AttributeFilter): Test | undefined => {
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
 * The test of `gameFilters.filters` over a card's `attributes`: `{op, values[]}`, `{op: = > <, value}`, `{min,
 * max}` or `{value}`. Beyond the spec: section 6. Fails with a 400 that names the attribute for any other shape.
 */
const attributeFilter = (filters: Readonly<Record<string, AttributeFilter>>) =>
  Effect.forEach(Object.entries(filters), ([name, filter]) => {
    const test = testOf(filter)
    return test === undefined
      ? Effect.fail(
          badRequest(`gameFilters.filters.${name}`, "give {op, values[]}, {op: = > <, value}, {min, max} or {value}")
        )
      : Effect.succeed((attributes: Json) => Object.hasOwn(attributes, name) && test(attributes[name]))
  }).pipe(Effect.map((tests) => (attributes: Json) => tests.every((test) => test(attributes))))

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

/** Ids come as numbers or digit strings; both read the same. Beyond the spec: section 1. */
export const requestIds = (ids: SearchRequest["productIds"] | SearchRequest["expansionId"]): ReadonlyArray<string> =>
  ids === undefined ? [] : (Array.isArray(ids) ? ids : [ids]).map((id) => BigInt(id).toString())

const sameText = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** A test of one product; all filters given must hold. Spec: filters apply before pagination. */
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

/** Those of the ids whose live product passes the filters. Fails with 400 for an attribute filter that cannot be. */
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
