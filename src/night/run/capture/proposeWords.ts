import type { BlockName, Dialect, SingleId } from "../../../feed/contract/dialect/dialects.ts"
import { isObject } from "../../../feed/rows/isObject.ts"
import { likeness, valuesAt } from "./wirePaths.ts"

/** Names of blocks and ids for unknown keys. */
export interface ProposedWords {
  readonly blocks: { readonly [Name in BlockName]?: string }
  readonly ids: { readonly [name: string]: string }
}

const currencyBySource = { sourceEur: "EUR", sourceUsd: "USD" } as const

const isLive = (block: unknown): boolean => isObject(block) && ("regions" in block || isObject(block["low"]))

/** Returns the source of the price blocks under a key, by currency. */
const guessBlock = (values: ReadonlyArray<unknown>): BlockName | null => {
  if (values.some(isLive)) return "marketplace"
  const source = (["sourceEur", "sourceUsd"] as const).find((name) =>
    values.every((block) => isObject(block) && block["currency"] === currencyBySource[name])
  )
  return source ?? null
}

/** Proposes names of price blocks and product ids that a dialect does not know. */
export const proposeWords = (
  products: ReadonlyArray<unknown>,
  unknown: ReadonlyArray<string>,
  dialect: Pick<Dialect, "blocks" | "ids">
): ProposedWords => {
  const blocks: { [Name in BlockName]?: string } = {}
  const ids: Record<string, string> = {}
  const isThere = (path: ReadonlyArray<string>) => valuesAt(products, path).length > 0
  for (const path of unknown) {
    const steps = path.split(".")
    const [, place, word] = /^(prices|pricesByFinish\.\*)\.([^.]+)$/.exec(path) ?? []
    if (place === undefined || word === undefined) continue
    const name = guessBlock(valuesAt(products, steps))
    const known = name === null ? null : [...place.split("."), dialect.blocks[name]]
    if (name !== null && known !== null && !isThere(known)) blocks[name] ??= word
  }
  for (const path of unknown) {
    const [, word] = /^externalIds\.([^.]+)$/.exec(path) ?? []
    if (word === undefined) continue
    const isList = valuesAt(products, ["externalIds", word]).every(Array.isArray)
    const missing = Object.entries(dialect.ids).filter(
      ([name, known]) => name.startsWith("source") === isList && !isThere(["externalIds", known])
    )
    const sameAsBlock = missing.find(([name]) => blocks[name as BlockName] === word)
    const alike = missing.find(([name, known]) => Math.max(likeness(name, word), likeness(known, word)) >= 0.5)
    const found = sameAsBlock ?? (missing.length === 1 ? missing[0] : alike)
    if (found !== undefined) ids[found[0] as SingleId] ??= word
  }
  return { blocks, ids }
}
