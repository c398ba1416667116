import type { FeedType } from "../../feed/contract/FeedFile.ts"
import { feedSlug, type Json, readRecord, type StoredDeployment } from "../catalogue/StoredCatalogue.ts"
import { pricesByFinish } from "../prices/priceHistory.ts"
import { type KeyRule, renameKeys } from "../wording/renameKeys.ts"

/** Adds missing keys as null, which operations omit but feeds include. Beyond the spec: section 8. */
const orNull = (record: Json, keys: ReadonlyArray<string>): Json =>
  Object.fromEntries(keys.map((key) => [key, record[key] ?? null]))

const printed = ["printNumber", "variant", "rarity"]
const pictures = ["languages", "imageUrl", "imageBackUrl", "productCategory", "externalIds", "translations"]

function* catalogLines({ expansions, products }: StoredDeployment, { hasFeedSlugs }: FeedManner): Iterable<Json> {
  const slugs = new Map(expansions.map(({ id, slug }) => [id, slug]))
  for (let index = 0; index < products.size; index++) {
    const product = readRecord(products.text(index))
    const { attributes = {}, expansionId = null, finishes = ["Standard"], id, name, nameSlug, productType } = product
    yield {
      id,
      productType,
      name,
      nameSlug,
      // The slug matches the changelog, so that a removed product can be found by it.
      slug: hasFeedSlugs ? feedSlug(product) : nameSlug,
      expansionId,
      expansionSlug: slugs.get(String(expansionId)) ?? null,
      ...orNull(product, printed),
      finishes,
      ...orNull(product, pictures),
      attributes
    }
  }
}

function* priceLines({ products }: StoredDeployment): Iterable<Json> {
  for (let index = 0; index < products.size; index++) {
    const product = readRecord(products.text(index))
    const prices = pricesByFinish(product)
    if (Object.keys(prices).length > 0) yield { productId: product["id"], pricesByFinish: prices }
  }
}

function* expansionLines({ expansions }: StoredDeployment): Iterable<Json> {
  for (const { text } of expansions) {
    const expansion = readRecord(text)
    const { attributes = {}, id, name } = expansion
    yield {
      id,
      name,
      ...orNull(expansion, ["slug", "code", "releaseDate", "cardCount", "sealedProductCount"]),
      attributes
    }
  }
}

/** Records of each feed. A product without a price has no line in `prices`. Beyond the spec: section 8. */
const records: { readonly [Type in FeedType]: (deployment: StoredDeployment, manner: FeedManner) => Iterable<Json> } = {
  catalog: catalogLines,
  expansions: expansionLines,
  prices: priceLines
}

/** The first id of orphans, above any catalogue id. */
const firstOrphan = 9_007_199_254_740_000

/** The format of a feed file. */
interface FeedManner {
  /** Key renaming; null for none. */
  readonly rule: KeyRule | null
  /** True if products have the live service's slugs. */
  readonly hasFeedSlugs: boolean
  /** Number of price lines whose products are not in the catalogue. */
  readonly orphans: number
}

export function* feedLines(deployment: StoredDeployment, type: FeedType, manner: FeedManner) {
  const { orphans, rule } = manner
  const text = (record: Json): string => {
    const line = JSON.stringify(record)
    return rule === null ? line : renameKeys(Buffer.from(line), rule).toString()
  }
  for (const record of records[type](deployment, manner)) yield text(record)
  const block = { sourceEur: { currency: "EUR", low: 1 } }
  const strays = type === "prices" ? orphans : 0
  for (let orphan = 0; orphan < strays; orphan++) {
    yield text({ productId: firstOrphan + orphan, pricesByFinish: { Standard: block } })
  }
}
