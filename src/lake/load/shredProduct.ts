import { roundedTo } from "./batch/roundedTo.ts"
import { isNode, type Node } from "./batch/TableBatch.ts"
import type { Shredding } from "./Shredder.ts"

const nodeOf = (value: unknown): Node | null => (isNode(value) ? value : null)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const entriesOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isNode(value) ? Object.entries(value) : []

const sources = ["sourceEur", "sourceUsd"]
const singleIds = ["mtgId", "mtgOracleId", "konamiStyleId", "lorcanaId", "fabId", "riftboundId"]

/** Percentages of a source's block with the columns they are kept in. */
const percentages = { change24h: "change_24h", change7d: "change_7d", change30d: "change_30d" } as const

/** A product as rows of its tables. A sealed product has one price and no split by finish: it is kept under finish Standard. */
export const shredProduct = (to: Shredding, hashOf: (product: Node) => string) => {
  const depths = (table: string, buckets: unknown, ...keys: ReadonlyArray<unknown>) => {
    for (const [condition, bucket] of entriesOf(buckets)) {
      if (!isNode(bucket)) continue
      to.row(table, bucket, ...keys, condition, null)
      for (const [language, depth] of entriesOf(bucket["byLanguage"])) {
        to.row(table, nodeOf(depth) ?? {}, ...keys, condition, language)
      }
    }
  }
  return (product: Node) => {
    const { availability, externalIds, id } = product
    const isSealed = product["productType"] === "sealed"
    const rowHash = hashOf(product)
    const kept = to.withOddDate(product)
    const extra = isNode(availability) ? { ...nodeOf(kept["extra"]), availability } : kept["extra"]
    to.row("products", { ...kept, extra, rowHash })
    for (const [place, language] of listOf(product["languages"]).entries()) {
      to.row("product_languages", {}, id, place + 1, language)
    }
    const finishes = isSealed ? ["Standard"] : listOf(product["finishes"])
    for (const [place, finish] of finishes.entries()) to.row("product_finishes", {}, id, place + 1, finish)
    if (isNode(externalIds)) shredIds(to, id, externalIds)
    const priced = isSealed ? [["Standard", product["prices"]] as const] : entriesOf(product["pricesByFinish"])
    for (const [finish, blocks] of priced) {
      if (!isNode(blocks)) continue
      for (const source of sources) {
        const block = nodeOf(blocks[source])
        if (block === null) continue
        to.row("source_prices", withGreatOnes(block, to), id, finish, source)
        depths("source_price_conditions", block["byCondition"], id, finish, source)
      }
      const block = nodeOf(blocks["marketplace"])
      if (block === null) continue
      to.row(
        "marketplace_prices",
        { ...block, ...nodeOf(block["low"]), low: nodeOf(block["low"])?.["amount"] },
        id,
        finish,
        null
      )
      for (const [region, market] of entriesOf(block["regions"])) {
        to.row("marketplace_prices", nodeOf(market) ?? {}, id, finish, region)
        depths("marketplace_price_conditions", nodeOf(market)?.["byCondition"], id, finish, region)
      }
    }
  }
}

const shredIds = (to: Shredding, id: unknown, externalIds: Node) => {
  for (const system of sources) {
    for (const [place, entry] of listOf(externalIds[system]).entries()) {
      if (isNode(entry)) to.row("external_ids", {}, id, system, place + 1, entry["finish"], entry["id"])
    }
  }
  for (const system of singleIds) {
    const single = externalIds[system]
    if (typeof single === "string") to.row("external_ids", {}, id, system, 1, null, single)
  }
}

/** A source's block; a percentage that is too great for its column goes to `extra`, as text. One that loses digits is noted. */
const withGreatOnes = (block: Node, to: Shredding): Node => {
  let extra: Node | null = null
  for (const [key, column] of Object.entries(percentages)) {
    const figure = block[key]
    if (typeof figure !== "number") continue
    const rounded = roundedTo(4, 1e12, figure)
    if (rounded === null) extra = { ...(extra ?? nodeOf(block["extra"])), [key]: String(figure) }
    if (rounded === null || rounded / 10_000 !== figure) to.note("rounded", "source_prices", column)
  }
  return extra === null ? block : { ...block, extra }
}
