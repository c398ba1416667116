import { type Dialect, type DialectName, dialectNames, dialects } from "../contract/dialect/dialects.ts"
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

/** A dialect's own words. */
interface Vocabulary {
  readonly name: DialectName
  readonly blocks: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

const vocabularyOf = ({ aliases, blocks, ids, name }: Dialect): Vocabulary => ({
  name,
  blocks: new Set(Object.values(blocks)),
  ids: new Set([...Object.values(ids), ...Object.keys(aliases.products)])
})

/** Dialects that a page can be in, and the words that any of them has. */
interface Choice {
  readonly dialects: ReadonlyArray<Vocabulary>
  readonly anyBlock: ReadonlySet<string>
  readonly anyId: ReadonlySet<string>
}

const choiceOf = (all: ReadonlyArray<Vocabulary>): Choice => ({
  dialects: all,
  anyBlock: new Set(all.flatMap(({ blocks }) => [...blocks])),
  anyId: new Set(all.flatMap(({ ids }) => [...ids]))
})

const known = dialectNames.map((name) => vocabularyOf(dialects[name]))
const anyKnown = choiceOf(known)
/** With a dialect of a file, by its name. */
const withFile = new Map<DialectName, Choice>()

const choiceWith = (asked: Dialect | null): Choice => {
  if (asked?.file === undefined) return anyKnown
  const made = withFile.get(asked.name) ?? choiceOf([vocabularyOf(asked), ...known])
  withFile.set(asked.name, made)
  return made
}

/** Keys that a contract did not know, by their paths: the dialect that knows most of them; null if none knows any. */
export const dialectOfKeys = (paths: ReadonlyArray<string>): DialectName | null => {
  const knownOf = ({ blocks, ids }: Vocabulary): number =>
    paths.filter((path) => {
      const [, place, key = ""] = /^(prices|pricesByFinish\.\*|externalIds)\.([^.]+)$/.exec(path) ?? []
      return (place === "externalIds" ? ids : blocks).has(key)
    }).length
  const best = known.reduce((best, one) => (knownOf(one) > knownOf(best) ? one : best))
  return knownOf(best) > 0 ? best.name : null
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

const lookInto = (product: unknown, { blocks, ids }: Found, { anyBlock, anyId }: Choice) => {
  if (!isObject(product)) return
  look(product["externalIds"], anyId, ids)
  look(product["prices"], anyBlock, blocks)
  const byFinish = product["pricesByFinish"]
  if (isObject(byFinish)) for (const finish of Object.keys(byFinish)) look(byFinish[finish], anyBlock, blocks)
}

const foreignTo = (own: Vocabulary, { blocks, ids }: Found): ReadonlyArray<string> => [
  ...new Set([...[...blocks].filter((word) => !own.blocks.has(word)), ...[...ids].filter((word) => !own.ids.has(word))])
]

const oddOne = (products: ReadonlyArray<unknown>, choice: Choice): OddProduct | null => {
  const said = products.map((product) => {
    const found: Found = { blocks: new Set(), ids: new Set() }
    lookInto(product, found, choice)
    return found
  })
  const fitting = (own: Vocabulary) => said.filter((found) => foreignTo(own, found).length === 0).length
  const most = choice.dialects.reduce((best, own) => (fitting(own) > fitting(best) ? own : best))
  const position = said.findIndex((found) => foreignTo(most, found).length > 0)
  const [product, found] = [products[position], said[position]]
  if (found === undefined) return null
  const id = isObject(product) ? product["id"] : null
  return { position, id: Number.isSafeInteger(id) ? String(id) : null, words: foreignTo(most, found), most: most.name }
}

/**
 * Which dialects a page of products can be in; that of a file only if it is `asked` for. It is one look at each key, and
 * nothing is checked.
 */
export const spokenWords = (products: ReadonlyArray<unknown>, asked: Dialect | null = null): SpokenWords => {
  const choice = choiceWith(asked)
  const found: Found = { blocks: new Set(), ids: new Set() }
  for (const product of products) lookInto(product, found, choice)
  const fits = choice.dialects.filter((own) => foreignTo(own, found).length === 0).map(({ name }) => name)
  const words = [...new Set([...found.blocks, ...found.ids])]
  return fits.length > 0 ? { fits, words } : { fits, words, odd: oddOne(products, choice) }
}
