import { type Dialect, type DialectName, dialectNames, dialects } from "../contract/dialects.ts"
import { isObject } from "./isObject.ts"

/** How a page calls its price blocks and the ids of its products. */
export interface SpokenWords {
  /** The dialects that have all of its words; without any word, every dialect. */
  readonly fits: ReadonlyArray<DialectName>
  /** Its words that any dialect has. */
  readonly words: ReadonlyArray<string>
}

const wordsOf = (listed: (dialect: Dialect) => Readonly<Record<string, string>>) => {
  const own = (dialect: Dialect) =>
    new Set([...Object.values(listed(dialect)), ...Object.keys(dialect.aliases.products)])
  return new Map(dialectNames.map((name) => [name, own(dialects[name])]))
}

const blockWords = wordsOf(({ blocks }) => blocks)
const idWords = wordsOf(({ ids }) => ids)
const anyOf = (words: ReadonlyMap<DialectName, ReadonlySet<string>>) =>
  new Set([...words.values()].flatMap((own) => [...own]))
const anyBlock = anyOf(blockWords)
const anyId = anyOf(idWords)

/** The words of a page without words of its own, such as one of the changelog. */
export const noWords: SpokenWords = { fits: dialectNames, words: [] }

/** Which dialects a page of products can be in. It is one look at each key, and nothing is checked. */
export const spokenWords = (products: ReadonlyArray<unknown>): SpokenWords => {
  const blocks = new Set<string>()
  const ids = new Set<string>()
  const look = (at: unknown, words: ReadonlySet<string>, found: Set<string>) => {
    if (!isObject(at)) return
    for (const key of Object.keys(at)) if (words.has(key)) found.add(key)
  }
  for (const product of products) {
    if (!isObject(product)) continue
    look(product["externalIds"], anyId, ids)
    look(product["prices"], anyBlock, blocks)
    const byFinish = product["pricesByFinish"]
    if (isObject(byFinish)) for (const finish of Object.keys(byFinish)) look(byFinish[finish], anyBlock, blocks)
  }
  const has = (own: ReadonlySet<string> | undefined, found: ReadonlySet<string>) =>
    [...found].every((word) => own?.has(word) === true)
  return {
    fits: dialectNames.filter((name) => has(blockWords.get(name), blocks) && has(idWords.get(name), ids)),
    words: [...new Set([...blocks, ...ids])]
  }
}
