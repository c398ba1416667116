import type { Dialect, SourceName } from "../contract/dialect/dialects.ts"
import { isObject } from "./isObject.ts"
import { roundedTo } from "./batch/roundedTo.ts"
import type { Node, TableBatch } from "./batch/TableBatch.ts"

/** The targets of a record's pieces. */
export interface Shredding {
  readonly table: (name: string) => TableBatch
  /** Reports data beyond the contract, once per record; `drift` counts it. */
  readonly note: (kind: string, place: string, word: string) => void
  /** Moves a release date that is not an instant to `extra`, as text. */
  readonly badDateToExtra: (record: Record<string, unknown>) => void
}

const asNode = (value: unknown): Node | null => (isObject(value) ? value : null)
const nothing: Node = {}
const asFields = (value: unknown): Node => asNode(value) ?? nothing
const isSealed = (product: Node): boolean => product["productType"] === "sealed"
const asList = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const sources: ReadonlyArray<SourceName> = ["sourceEur", "sourceUsd"]

/** Percentages of a source's block, with their columns. */
const percentages = [
  ["change24h", "change_24h"],
  ["change7d", "change_7d"],
  ["change30d", "change_30d"]
] as const
const percentage = roundedTo(4, 1e12)

/** Writes the price blocks of a product's finish as rows of their tables. */
export const blocksShredder = (to: Shredding, dialect: Dialect) => {
  const sourcePrices = to.table("source_prices")
  const sourceDepths = to.table("source_price_conditions")
  const marketPrices = to.table("marketplace_prices")
  const marketDepths = to.table("marketplace_price_conditions")
  const quoted = sources.map((source) => [source, dialect.blocks[source], dialect.currencies[source]] as const)
  const { marketplace } = dialect.blocks
  const withOverflow = overflowToExtra(to)

  return (id: unknown, finish: string, blocks: Node) => {
    for (const [source, word, currency] of quoted) {
      const block = asNode(blocks[word])
      if (block === null) continue
      sourcePrices.row(withOverflow(block), id, finish, source, block["currency"] ?? currency)
      shredDepths(sourceDepths, block["byCondition"], id, finish, source)
    }
    const block = asNode(blocks[marketplace])
    if (block === null) return
    const { amount, currency } = asFields(block["low"])
    const { availableQuantity, extra, listingCount } = block
    marketPrices.row({ currency, low: amount, listingCount, availableQuantity, extra }, id, finish, null)
    const regions = asFields(block["regions"])
    for (const region in regions) {
      const market = asFields(regions[region])
      marketPrices.row(market, id, finish, region)
      shredDepths(marketDepths, market["byCondition"], id, finish, region)
    }
  }
}

/** Writes a product without its prices as rows of its tables. A sealed product has one finish, Standard. */
export const factsShredder = (to: Shredding, dialect: Dialect) => {
  const products = to.table("products")
  const languages = to.table("product_languages")
  const finishes = to.table("product_finishes")
  const shredIds = idsShredder(to.table("external_ids"), dialect)
  return (product: Record<string, unknown>) => {
    const { availability, id } = product
    to.badDateToExtra(product)
    if (isObject(availability)) product["extra"] = { ...asNode(product["extra"]), availability }
    products.row(product)
    let place = 0
    for (const language of asList(product["languages"])) languages.row(nothing, id, ++place, language)
    place = 0
    for (const finish of isSealed(product) ? ["Standard"] : asList(product["finishes"]))
      finishes.row(nothing, id, ++place, finish)
    if (isObject(product["externalIds"])) shredIds(id, product["externalIds"])
  }
}

/** Writes a product as rows of its tables. A sealed product's one price has finish Standard. */
export const shredProduct = (to: Shredding, dialect: Dialect) => {
  const shredFacts = factsShredder(to, dialect)
  const shredBlocks = blocksShredder(to, dialect)
  return (product: Record<string, unknown>) => {
    const { id } = product
    shredFacts(product)
    if (isSealed(product)) return shredBlocks(id, "Standard", asFields(product["prices"]))
    const priced = asFields(product["pricesByFinish"])
    for (const finish in priced) shredBlocks(id, finish, asFields(priced[finish]))
  }
}

/** Writes the depth of each condition, in total and by language. */
const shredDepths = (table: TableBatch, buckets: unknown, id: unknown, finish: string, seller: string) => {
  const conditions = asFields(buckets)
  for (const condition in conditions) {
    const bucket = asFields(conditions[condition])
    table.row(bucket, id, finish, seller, condition, null)
    const languages = asFields(bucket["byLanguage"])
    for (const language in languages) table.row(asFields(languages[language]), id, finish, seller, condition, language)
  }
}

const idsShredder = (externalIds: TableBatch, { ids: words }: Dialect) => {
  const lists = sources.map((system) => [system, words[system]] as const)
  const singles = Object.entries(words).filter(([system]) => !sources.some((source) => source === system))
  return (id: unknown, ids: Node) => {
    for (const [system, word] of lists) {
      let place = 0
      for (const entry of asList(ids[word])) {
        externalIds.row(nothing, id, system, ++place, asFields(entry)["finish"], asFields(entry)["id"])
      }
    }
    for (const [system, word] of singles) {
      const single = ids[word]
      if (typeof single === "string") externalIds.row(nothing, id, system, 1, null, single)
    }
  }
}

/** Moves a percentage that is too large for its column to `extra`, as text. One that loses digits is reported. */
const overflowToExtra =
  (to: Shredding) =>
  (block: Node): Node => {
    let extra: Node | null = null
    for (const [key, column] of percentages) {
      const figure = block[key]
      if (typeof figure !== "number") continue
      const rounded = percentage(figure)
      if (rounded === null) extra = { ...(extra ?? asNode(block["extra"])), [key]: String(figure) }
      if (rounded === null || rounded / 10_000 !== figure) to.note("rounded", "source_prices", column)
    }
    return extra === null ? block : { ...block, extra }
  }
