import { type Dialect, type DialectName, dialectNames, dialects } from "../contract/dialect/dialects.ts"
import { isObject } from "./isObject.ts"

/** The keys that a page uses for price blocks and product ids. */
export interface DetectedNames {
  /** The dialects that have all of its words; every dialect if it has none. */
  readonly fits: ReadonlyArray<DialectName>
  /** The page's words that at least one dialect has. */
  readonly words: ReadonlyArray<string>
  /** Set if no dialect has all words of the page. */
  readonly mixed?: MixedProduct | null
}

/** The first product of a page with words that the dialect of most products does not have. */
export interface MixedProduct {
  readonly position: number
  /** The product's id; null if it has no readable id. */
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

const makeVocabulary = ({ aliases, blocks, ids, name }: Dialect): Vocabulary => ({
  name,
  blocks: new Set(Object.values(blocks)),
  ids: new Set([...Object.values(ids), ...Object.keys(aliases.products)])
})

/** The possible dialects of a page, and all of their words. */
interface Choice {
  readonly dialects: ReadonlyArray<Vocabulary>
  readonly anyBlock: ReadonlySet<string>
  readonly anyId: ReadonlySet<string>
}

const makeChoice = (all: ReadonlyArray<Vocabulary>): Choice => ({
  dialects: all,
  anyBlock: new Set(all.flatMap(({ blocks }) => [...blocks])),
  anyId: new Set(all.flatMap(({ ids }) => [...ids]))
})

const known = dialectNames.map((name) => makeVocabulary(dialects[name]))
const anyKnown = makeChoice(known)
/** The choices that include a file's dialect, by the dialect's name. */
const withFile = new Map<DialectName, Choice>()

const choiceWith = (required: Dialect | null): Choice => {
  if (required?.file === undefined) return anyKnown
  const made = withFile.get(required.name) ?? makeChoice([makeVocabulary(required), ...known])
  withFile.set(required.name, made)
  return made
}

/** Returns the dialect that knows most of the unknown keys at `paths`; null if none knows any. */
export const dialectOfKeys = (paths: ReadonlyArray<string>): DialectName | null => {
  const countKnown = ({ blocks, ids }: Vocabulary): number =>
    paths.filter((path) => {
      const [, place, key = ""] = /^(prices|pricesByFinish\.\*|externalIds)\.([^.]+)$/.exec(path) ?? []
      return (place === "externalIds" ? ids : blocks).has(key)
    }).length
  const best = known.reduce((best, one) => (countKnown(one) > countKnown(best) ? one : best))
  return countKnown(best) > 0 ? best.name : null
}

/** The result for a page without a dialect's words, such as a changelog page. */
export const noNames: DetectedNames = { fits: dialectNames, words: [] }

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

const otherNames = (own: Vocabulary, { blocks, ids }: Found): ReadonlyArray<string> => [
  ...new Set([...[...blocks].filter((word) => !own.blocks.has(word)), ...[...ids].filter((word) => !own.ids.has(word))])
]

const findMixedProduct = (products: ReadonlyArray<unknown>, choice: Choice): MixedProduct | null => {
  const names = products.map((product) => {
    const found: Found = { blocks: new Set(), ids: new Set() }
    lookInto(product, found, choice)
    return found
  })
  const fitting = (own: Vocabulary) => names.filter((found) => otherNames(own, found).length === 0).length
  const most = choice.dialects.reduce((best, own) => (fitting(own) > fitting(best) ? own : best))
  const position = names.findIndex((found) => otherNames(most, found).length > 0)
  const [product, found] = [products[position], names[position]]
  if (found === undefined) return null
  const id = isObject(product) ? product["id"] : null
  return { position, id: Number.isSafeInteger(id) ? String(id) : null, words: otherNames(most, found), most: most.name }
}

/** Returns the possible dialects of a page; that of a file only if it is `required`. Records are not validated. */
export const detectDialect = (products: ReadonlyArray<unknown>, required: Dialect | null = null): DetectedNames => {
  const choice = choiceWith(required)
  const found: Found = { blocks: new Set(), ids: new Set() }
  for (const product of products) lookInto(product, found, choice)
  const fits = choice.dialects.filter((own) => otherNames(own, found).length === 0).map(({ name }) => name)
  const words = [...new Set([...found.blocks, ...found.ids])]
  return fits.length > 0 ? { fits, words } : { fits, words, mixed: findMixedProduct(products, choice) }
}
