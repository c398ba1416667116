import { Schema, SchemaAST } from "effect"
import { type ContractPath, contractPaths, findInside } from "../../../feed/contract/contractPaths.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import type { Dialect } from "../../../feed/contract/dialect/dialects.ts"

/** Returns the values at a path of some records; `*` is any key. */
export const valuesAt = (records: ReadonlyArray<unknown>, path: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  path.reduce<ReadonlyArray<unknown>>(
    (at, step) =>
      at.flatMap((value) => {
        if (!isObject(value)) return []
        if (step === "*") return Object.values(value)
        return Object.hasOwn(value, step) ? [value[step]] : []
      }),
    records
  )

const maxLevels = 3

/** Returns a path and the paths inside its objects. */
export const pathsFrom = (
  records: ReadonlyArray<unknown>,
  path: ReadonlyArray<string>,
  levels = maxLevels
): ReadonlyArray<ReadonlyArray<string>> => {
  const inner = levels === 0 ? [] : valuesAt(records, path).filter((value) => isObject(value) && !Array.isArray(value))
  const keys = [...new Set(inner.flatMap((value) => Object.keys(value as object)))].filter((key) => !key.includes("."))
  return [path, ...keys.flatMap((key) => pathsFrom(records, [...path, key], levels - 1))]
}

const splitWords = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(/(?<=[a-z\d])(?=[A-Z])|[^A-Za-z\d]+/)
      .map((word) => word.toLowerCase())
      .filter((word) => word !== "")
  )

/** Returns the similarity of two keys from 0 to 1, by their words. */
export const likeness = (one: string, other: string): number => {
  const [a, b] = [splitWords(one), splitWords(other)]
  const both = [...a].filter(
    (word) =>
      b.has(word) ||
      [...b].some((long) => (word.length > 3 && long.includes(word)) || (word.length > 2 && long.startsWith(word)))
  )
  return both.length / Math.max(1, Math.min(a.size, b.size))
}

/** A product's path in the spec's names. A key moved in one block is moved in all, captured or not. */
export const specPath = (
  path: ReadonlyArray<string>,
  { blocks, ids }: Pick<Dialect, "blocks" | "ids">
): ReadonlyArray<string> => {
  const [first = ""] = path
  const place = first === "pricesByFinish" ? 2 : first === "prices" || first === "externalIds" ? 1 : 0
  const words = Object.entries<string>(first === "externalIds" ? ids : blocks)
  if (place === 0 || path.length <= place) return path
  return path.map((step, at) => (at === place ? (words.find(([, word]) => word === step)?.[0] ?? step) : step))
}

const isOfBlock = /^(?:prices|pricesByFinish\.\*)\.[^.]+\.(.+)$/

/** Extends a move inside one price block to all blocks. */
export const inAllBlocks = (to: string, from: string): ReadonlyArray<readonly [string, string]> => {
  const inner = isOfBlock.exec(to)?.[1]
  const wire = isOfBlock.exec(from)?.[1]
  if (inner === undefined || wire === undefined) return [[to, from]]
  return [
    [`pricesByFinish.*.*.${inner}`, `pricesByFinish.*.*.${wire}`],
    [`prices.*.${inner}`, `prices.*.${wire}`]
  ]
}

/** A missing path of the contract, and an unknown one that may replace it. */
export interface ProposedMove {
  readonly to: ReadonlyArray<string>
  readonly from: ReadonlyArray<string>
}

/** True if an object has any key of the contract. Otherwise types without required keys would match everything. */
const resembles = (types: ReadonlyArray<SchemaAST.AST>, value: unknown): boolean => {
  if (!isObject(value) || Array.isArray(value) || Object.keys(value).length === 0) return true
  const all = types.map(findInside).filter((one) => one !== null)
  if (all.length === 0) return true
  return Object.entries(value).some(([key, inner]) => {
    const known = all.flatMap((one) => one.get(key)?.types ?? [])
    const open = all.flatMap((one) => one.get("*")?.types ?? [])
    return known.length > 0 || (open.length > 0 && resembles(open, inner))
  })
}

const makeTypeCheck = (types: ReadonlyArray<SchemaAST.AST>) => {
  const checks = types.map((type) => Schema.is(Schema.make(type)))
  return (value: unknown) => checks.some((check) => check(value)) && resembles(types, value)
}

const isLink = (value: unknown): boolean => typeof value === "string" && /^https?:\/\//.test(value)
const isInstant = (value: unknown): boolean => typeof value === "string" && /^\d{4}-\d\d-\d\d(?:T|$)/.test(value)

/** True if most texts contain a digit, like card numbers and unlike rarities. */
const isNumbered = (texts: ReadonlyArray<string>): boolean =>
  2 * texts.filter((text) => /\d/.test(text)).length >= texts.length

/** True if texts suit a key: links for keys of links, days for keys of days. */
const suits = (key: string, values: ReadonlyArray<unknown>): boolean => {
  const texts = values.filter((value) => typeof value === "string")
  if (texts.length === 0) return true
  if (/^(?:printNumber|rarity|variant)$/.test(key) && isNumbered(texts) !== (key === "printNumber")) return false
  return (
    texts.every(isLink) === /url$/i.test(key) &&
    texts.every(isInstant) === (/(?:[dD]ate|[a-z]At)$/.test(key) && !texts.every(isLink))
  )
}

/** True if all values match the contract's types at a path. */
export const fitsPlace = ({ path, types }: ContractPath, values: ReadonlyArray<unknown>): boolean =>
  values.every(makeTypeCheck(types)) && suits(path.at(-1) ?? "", values)

/** Returns the record types that occur. A type that does not occur cannot lack keys. */
const kindsThere = (records: ReadonlyArray<unknown>, record: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  if (!SchemaAST.isUnion(record)) return [record]
  const there = record.types.filter((type) =>
    records.some(
      (one) =>
        isObject(one) &&
        SchemaAST.isObjects(type) &&
        type.propertySignatures.some(
          ({ name, type: word }) => SchemaAST.isLiteral(word) && one[String(name)] === word.literal
        )
    )
  )
  return there.length === 0 ? record.types : there
}

const countStars = (path: ReadonlyArray<string>): number => path.filter((step) => step === "*").length
const parentPath = (path: ReadonlyArray<string>): string => path.slice(0, -1).join(".")

/** True if a path accepts any value, which gives no information. */
const saysNothing = (fits: (value: unknown) => boolean): boolean => fits({ "": [] }) && fits({ "": 1 })

interface Pair extends ProposedMove {
  readonly score: number
  /** True if at least half of the parent objects have it. */
  readonly isCommon: boolean
}

const minScore = 2.5

const scorePath = ({ isOptional, path: to }: ContractPath, from: ReadonlyArray<string>): number => {
  const below = from.slice(to.length - 1).join(" ")
  const isSameKey = to.at(-1) === from.at(-1)
  const isBeside = parentPath(to) === parentPath(from)
  const isBelow = from.join(".").startsWith(parentPath(to))
  return (
    (isSameKey ? 4 : 3 * likeness(to.at(-1) ?? "", below)) + (isBeside ? 2 : isBelow ? 1 : 0) + (isOptional ? 0 : 2)
  )
}

/** Returns paths of the contract that no record has, although records have their parents (with `deep`, or not). */
export const missingPlaces = (
  records: ReadonlyArray<unknown>,
  record: SchemaAST.AST,
  deep = false
): ReadonlyArray<ContractPath> =>
  contractPaths(kindsThere(records, record)).filter(
    ({ path }) =>
      path.at(-1) !== "*" &&
      valuesAt(records, path).length === 0 &&
      (deep || path.length === 1 || valuesAt(records, path.slice(0, -1)).length > 0)
  )

/** True if a value is below the missing path's parent, under another key or deeper. */
const isWithin = ({ from, to }: ProposedMove): boolean =>
  `${from.join(".")}.`.startsWith(`${parentPath(to)}.`) || to.length === 1

/** Known facts about a list's records. */
interface Known {
  readonly record: SchemaAST.AST
  /** Paths of keys that the contract does not know. */
  readonly unknown: ReadonlyArray<string>
  /** True if parents of a missing path may be missing, too. */
  readonly deep?: boolean
}

/** Returns each unknown key with the missing paths whose types match its values. */
const possiblePairs = (records: ReadonlyArray<unknown>, { deep = false, record, unknown }: Known) => {
  const wire = unknown.flatMap((path) => pathsFrom(records, path.split(".")))
  const pairs: Array<Pair> = []
  for (const place of missingPlaces(records, record, deep)) {
    const fits = makeTypeCheck(place.types)
    const around = valuesAt(records, place.path.slice(0, -1)).length
    for (const from of wire) {
      const values = valuesAt(records, from)
      // Any number could be a percentage, so its name must indicate one.
      if (/^change\d/.test(place.path.at(-1) ?? "") && !/change|delta|diff|percent|pct/i.test(from.at(-1) ?? ""))
        continue
      const isEmpty = from.at(-1) !== place.path.at(-1) && values.every((value) => value === null)
      const isTooRare = !place.isOptional && values.length < around
      if (countStars(from) !== countStars(place.path) || isEmpty || isTooRare || !fitsPlace(place, values)) continue
      const score = scorePath(place, from) - (saysNothing(fits) ? 2 : 0)
      pairs.push({ to: place.path, from, score, isCommon: 2 * values.length >= around })
    }
  }
  return pairs
}

/** Returns the possible paths of an unknown key: missing ones near it, if they are few. */
export const possibleMoves = (records: ReadonlyArray<unknown>, known: Known): ReadonlyArray<ProposedMove> =>
  possiblePairs(records, known).filter((pair) => pair.isCommon && isWithin(pair))

/** Proposes missing paths for unknown keys by types, names and places. The best match wins, with evidence. */
export const proposeMoves = (records: ReadonlyArray<unknown>, known: Known): ReadonlyArray<ProposedMove> => {
  const pairs = possiblePairs(records, known)
  const chosen: Array<Pair> = []
  const isTaken = ({ from, to }: Pair) =>
    chosen.some((one) => one.to.join(".") === to.join(".") || `${from.join(".")}.`.startsWith(`${one.from.join(".")}.`))
  const within = pairs.filter((pair) => pair.isCommon && isWithin(pair))
  const isAlone = (pair: Pair) =>
    pair.isCommon &&
    isWithin(pair) &&
    within.every(
      (one) => one === pair || (one.to.join(".") !== pair.to.join(".") && one.from.join(".") !== pair.from.join("."))
    )
  const ranked = pairs
    .map((pair): Pair => Object.assign({}, pair, { score: pair.score + (isAlone(pair) ? 2 : 0) }))
    .toSorted((a, b) => b.score - a.score)
  for (const pair of ranked) if (pair.score >= minScore && !isTaken(pair)) chosen.push(pair)
  return chosen
}
