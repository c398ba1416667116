import { type Dialect, type DialectName, dialectNames, dialects } from "../contract/dialects.ts"
import { isObject } from "./isObject.ts"

/** How a page calls its price blocks and the ids of its products. */
export interface SpokenWords {
  /** The dialects that have all of its words; without any word, every dialect. */
  readonly fits: ReadonlyArray<DialectName>
  /** Its words that any dialect has. */
  readonly words: ReadonlyArray<string>
}

const wordsOf = (listed: (dialect: Dialect) => ReadonlyArray<string>) =>
  new Map(dialectNames.map((name) => [name, new Set(listed(dialects[name]))]))

const blockWords = wordsOf(({ blocks }) => Object.values(blocks))
const idWords = wordsOf(({ aliases, ids }) => [...Object.values(ids), ...Object.keys(aliases.products)])
const anyOf = (words: ReadonlyMap<DialectName, ReadonlySet<string>>) =>
  new Set([...words.values()].flatMap((own) => Array.from(own)))
const anyBlock = anyOf(blockWords)
const anyId = anyOf(idWords)

/** Keys that a contract did not know, by their paths: the dialect that knows most of them; null if none knows any. */
export const dialectOfKeys = (paths: ReadonlyArray<string>): DialectName | null => {
  const known = (name: DialectName): number =>
    paths.filter((path) => {
      const [, place, key = ""] = /^(prices|pricesByFinish\.\*|externalIds)\.([^.]+)$/.exec(path) ?? []
      return (place === "externalIds" ? idWords : blockWords).get(name)?.has(key) === true
    }).length
  const best = dialectNames.reduce((best, name) => (known(name) > known(best) ? name : best))
  return known(best) > 0 ? best : null
}

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
