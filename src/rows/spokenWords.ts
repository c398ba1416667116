import { type Dialect, type DialectName, dialectNames, dialects } from "../contract/dialects.ts"
import { isObject } from "./isObject.ts"

/** How a page calls its price blocks and the ids of its products. */
export interface SpokenWords {
  /** The dialects that have all of its words; without any word, every dialect. */
  readonly fits: ReadonlyArray<DialectName>
  /** Its words that any dialect has. */
  readonly words: ReadonlyArray<string>
  /** Of a page that no dialect has all words of. */
  readonly odd?: OddProduct | null
}

/** The first product of a page with words that the dialect of most products does not have. */
export interface OddProduct {
  readonly position: number
  /** Null: none that can be named. */
  readonly id: string | null
  readonly words: ReadonlyArray<string>
  readonly most: DialectName
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

interface Found {
  readonly blocks: Set<string>
  readonly ids: Set<string>
}

const look = (at: unknown, words: ReadonlySet<string>, found: Set<string>) => {
  if (!isObject(at)) return
  for (const key of Object.keys(at)) if (words.has(key)) found.add(key)
}

const lookInto = (product: unknown, { blocks, ids }: Found) => {
  if (!isObject(product)) return
  look(product["externalIds"], anyId, ids)
  look(product["prices"], anyBlock, blocks)
  const byFinish = product["pricesByFinish"]
  if (isObject(byFinish)) for (const finish of Object.keys(byFinish)) look(byFinish[finish], anyBlock, blocks)
}

const foreignTo = (name: DialectName, { blocks, ids }: Found): ReadonlyArray<string> => [
  ...new Set([
    ...[...blocks].filter((word) => blockWords.get(name)?.has(word) !== true),
    ...[...ids].filter((word) => idWords.get(name)?.has(word) !== true)
  ])
]

const oddOne = (products: ReadonlyArray<unknown>): OddProduct | null => {
  const said = products.map((product) => {
    const found: Found = { blocks: new Set(), ids: new Set() }
    lookInto(product, found)
    return found
  })
  const fitting = (name: DialectName) => said.filter((found) => foreignTo(name, found).length === 0).length
  const most = dialectNames.reduce((best, name) => (fitting(name) > fitting(best) ? name : best))
  const position = said.findIndex((found) => foreignTo(most, found).length > 0)
  const [product, found] = [products[position], said[position]]
  if (found === undefined) return null
  const id = isObject(product) ? product["id"] : null
  return { position, id: Number.isSafeInteger(id) ? String(id) : null, words: foreignTo(most, found), most }
}

/** Which dialects a page of products can be in. It is one look at each key, and nothing is checked. */
export const spokenWords = (products: ReadonlyArray<unknown>): SpokenWords => {
  const found: Found = { blocks: new Set(), ids: new Set() }
  for (const product of products) lookInto(product, found)
  const fits = dialectNames.filter((name) => foreignTo(name, found).length === 0)
  const words = [...new Set([...found.blocks, ...found.ids])]
  return fits.length > 0 ? { fits, words } : { fits, words, odd: oddOne(products) }
}
