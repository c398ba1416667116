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
