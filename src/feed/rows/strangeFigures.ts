import type { Dialect } from "../contract/dialect/dialects.ts"
import { MarketplacePrice, RegionPrice, sourcePrice } from "../contract/Prices.ts"
import { isObject } from "./isObject.ts"

/** A key inside of known price blocks that the contract does not know, and what may be under it. */
export interface StrangeFigures {
  /** Such as `pricesByFinish.*.sourceEur.bounds`. */
  readonly path: string
  /** What the contract has there, and no object with the key has. */
  readonly missing: ReadonlyArray<string>
  /** Positions of the products that have the key. */
  readonly products: ReadonlySet<number>
}

/** An object inside of a product's prices, as the contract has it. */
interface Place {
  readonly known: ReadonlySet<string>
  /** Figures that can be absent: where they have to be there, a record without them is refused. */
  readonly figures: ReadonlyArray<string>
  /** What has more such objects, under whatever keys. */
  readonly inner: { readonly key: string; readonly place: Place } | null
}

const depth = ["low", "listingCount", "availableQuantity"]

const buckets = (figures: ReadonlyArray<string>): Place => {
  const language: Place = { known: new Set(depth), figures, inner: null }
  return { known: new Set([...depth, "byLanguage"]), figures, inner: { key: "byLanguage", place: language } }
}

const source: Place = {
  known: new Set(Object.keys(sourcePrice(null).fields)),
  figures: ["low", "mid", "high", "marketValue"],
  inner: { key: "byCondition", place: buckets(depth) }
}

const region: Place = {
  known: new Set(Object.keys(RegionPrice.fields)),
  figures: [],
  inner: { key: "byCondition", place: buckets([]) }
}

const marketplace: Place = {
  known: new Set(Object.keys(MarketplacePrice.fields)),
  figures: [],
  inner: { key: "regions", place: region }
}

const hasFigure = (value: unknown): boolean =>
  typeof value === "number" || (isObject(value) && Object.values(value).some(hasFigure))

const isNested = (value: unknown): boolean => isObject(value) && Object.values(value).some(isObject)

const isThere = (value: unknown): boolean =>
  value !== undefined && value !== null && !(isObject(value) && Object.keys(value).length === 0)

interface Seen {
  readonly products: Set<number>
  readonly expected: Set<string>
  readonly there: Set<string>
}

/**
 * Keys with figures inside of the price blocks of products as they came, where something that the contract has in their
 * place is nowhere beside them. `diff/rules/strangeFigures.sql` asks the same of tables.
 */
export const strangeFigures = (
  products: ReadonlyArray<unknown>,
  { blocks }: Pick<Dialect, "blocks">
): ReadonlyArray<StrangeFigures> => {
  const seen = new Map<string, Seen>()
  const note = (path: string, index: number): Seen => {
    const one = seen.get(path) ?? { products: new Set(), expected: new Set(), there: new Set() }
    seen.set(path, one)
    one.products.add(index)
    return one
  }
  const look = (place: Place, value: unknown, path: string, index: number) => {
    if (!isObject(value)) return
    const { figures, inner, known } = place
    for (const [key, under] of Object.entries(value)) {
      if (known.has(key) || !hasFigure(under)) continue
      const { expected, there } = note(`${path}.${key}`, index)
      const names = inner !== null && isNested(under) ? [...figures, inner.key] : figures
      for (const name of names) (isThere(value[name]) ? there : expected).add(name)
    }
    const within = inner === null ? undefined : value[inner.key]
    if (inner === null || !isObject(within)) return
    for (const each of Object.values(within)) look(inner.place, each, `${path}.${inner.key}.*`, index)
  }
  const lookAll = (prices: unknown, path: string, index: number) => {
    if (!isObject(prices)) return
    look(source, prices[blocks.sourceEur], `${path}.${blocks.sourceEur}`, index)
    look(source, prices[blocks.sourceUsd], `${path}.${blocks.sourceUsd}`, index)
    look(marketplace, prices[blocks.marketplace], `${path}.${blocks.marketplace}`, index)
  }
  for (const [index, product] of products.entries()) {
    if (!isObject(product)) continue
    lookAll(product["prices"], "prices", index)
    const byFinish = product["pricesByFinish"]
    if (isObject(byFinish)) for (const each of Object.values(byFinish)) lookAll(each, "pricesByFinish.*", index)
  }
  return [...seen].flatMap(([path, { expected, products: having, there }]) => {
    const missing = [...expected].filter((name) => !there.has(name))
    return missing.length === 0 ? [] : [{ path, missing, products: having }]
  })
}

/** The keys, each with what is missing beside it. */
export const figuresText = (all: ReadonlyArray<StrangeFigures>): string =>
  all.map(({ missing, path }) => `${path} (no ${missing.join(", ")} beside it)`).join(", ")
