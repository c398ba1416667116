import type { Dialect } from "../contract/dialect/dialects.ts"
import { plainColumn } from "../schema/tableFile.ts"
import { isObject } from "./isObject.ts"
import { type Shredding, blocksShredder, factsShredder } from "./shredProduct.ts"

/** The lines of a prices file: what the load joins with the catalogue's. No snapshot has it. */
export const priceLines = {
  name: "price_lines",
  columns: [plainColumn("product_id", "bigint"), plainColumn("price_extra", "json")]
}

/** An empty object says no more than none. */
const unlessEmpty = (value: unknown): unknown =>
  isObject(value) && !Array.isArray(value) && Object.keys(value).length === 0 ? null : value

/** What only products of the other type have, in pages: a line has every key. */
const unknownCounts = {
  sealed: ["printNumber", "variant", "rarity", "imageBackUrl", "attributes"],
  card: ["productCategory"]
} as const

/** A product's line with what its type does not have under `extra`, as a page's record has it. */
const ofItsType = (product: Record<string, unknown>) => {
  for (const key of product["productType"] === "sealed" ? unknownCounts.sealed : unknownCounts.card) {
    const value = unlessEmpty(product[key])
    if (value !== null && value !== undefined) {
      product["extra"] = { ...(isObject(product["extra"]) ? product["extra"] : {}), [key]: value }
    }
    product[key] = null
  }
}

/** A product of the catalogue's file as rows of the tables of facts. */
export const shredCatalogLine = (to: Shredding, dialect: Dialect) => {
  const shredFacts = factsShredder(to, dialect)
  const translations = to.table("translations")
  return (product: Record<string, unknown>) => {
    ofItsType(product)
    shredFacts(product)
    const { id, translations: names } = product
    if (!isObject(names)) return
    for (const language of Object.keys(names)) {
      const translation = names[language]
      translations.row(isObject(translation) ? translation : {}, id, language)
    }
  }
}

/** An expansion's line with what says nothing taken out. */
export const ofFeed = (expansion: Record<string, unknown>) => {
  expansion["attributes"] = unlessEmpty(expansion["attributes"])
}

export const shredExpansionLine = (to: Shredding) => {
  const expansions = to.table("expansions")
  return (expansion: Record<string, unknown>) => {
    ofFeed(expansion)
    to.badDateToExtra(expansion)
    expansions.row(expansion)
  }
}

export const shredPriceLine = (to: Shredding, dialect: Dialect) => {
  const shredBlocks = blocksShredder(to, dialect)
  const lines = to.table(priceLines.name)
  return (line: Record<string, unknown>) => {
    const { pricesByFinish, productId } = line
    lines.row(line, productId)
    if (!isObject(pricesByFinish)) return
    for (const finish of Object.keys(pricesByFinish)) {
      const blocks = pricesByFinish[finish]
      if (isObject(blocks)) shredBlocks(productId, finish, blocks)
    }
  }
}
