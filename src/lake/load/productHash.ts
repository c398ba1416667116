import { hash } from "node:crypto"
import type { Column } from "../duckdb/tableFile.ts"
import { isNode, type Node, readerOf } from "./batch/TableBatch.ts"

/** How a value is told in the text that is hashed. */
type Told = (value: unknown) => string

/** A text that would be read as something else is quoted, as DuckDB's own text of a row has it. */
const special = /["'(),:=[\]{}]/
const isBlank = (char: number): boolean => char === 0x20 || (char >= 0x09 && char <= 0x0d)
const readsOtherwise = (text: string): boolean =>
  text === "" ||
  special.test(text) ||
  isBlank(text.charCodeAt(0)) ||
  isBlank(text.charCodeAt(text.length - 1)) ||
  (text.length === 4 && text.toLowerCase() === "null")
const escaped = /['\\]/g
const quoted = (text: string): string =>
  readsOtherwise(text) ? `'${/['\\]/.test(text) ? text.replaceAll(escaped, String.raw`\$&`) : text}'` : text

const isAbsent = (value: unknown): boolean => value === null || value === undefined
const text: Told = (value) => (typeof value === "string" ? quoted(value) : isAbsent(value) ? "NULL" : String(value))
const json: Told = (value) => (isAbsent(value) ? "NULL" : quoted(JSON.stringify(value)))

const list =
  (item: Told): Told =>
  (value) => {
    if (!Array.isArray(value)) return "NULL"
    let told = ""
    for (const one of value) told += told === "" ? item(one) : `, ${item(one)}`
    return `[${told}]`
  }

/** An object as its fields, in this order. */
const fields = (of: Readonly<Record<string, Told>>): Told => {
  const named = Object.entries(of).map(([name, inner], at) => ({
    name,
    inner,
    head: `${at === 0 ? "" : ", "}'${name}': `
  }))
  return (value) => {
    if (!isNode(value)) return "NULL"
    let told = ""
    for (const { head, inner, name } of named) told += head + inner(value[name])
    return `{${told}}`
  }
}

const finishIds = list(fields({ finish: text, id: text }))

/** What versions 1 and 2 of the contract hashed, in their order. It stays: a hash that moved would make every product look touched. */
const hashed: ReadonlyArray<readonly [name: string, told: Told]> = Object.entries({
  productType: text,
  productCategory: text,
  name: text,
  nameSlug: text,
  languages: list(text),
  finishes: list(text),
  expansionId: text,
  expansion: fields({ id: text, code: text, name: text, symbolUrl: text }),
  externalIds: fields({
    sourceEur: finishIds,
    sourceUsd: finishIds,
    mtgId: text,
    mtgOracleId: text,
    konamiStyleId: text,
    lorcanaId: text,
    fabId: text,
    riftboundId: text
  }),
  printNumber: text,
  variant: text,
  rarity: text,
  imageUrl: text,
  imageBackUrl: text,
  releaseDate: text,
  attributes: json,
  extra: json,
  availability: json
})
const lastOfThem = 2

/**
 * What makes a product's row hash: md5 over everything but prices. A column that later versions brought counts where it has a value, so
 * that no product is touched because the contract grew.
 */
export const productHasher = (columns: ReadonlyArray<Column>): ((product: Node) => string) => {
  const later = columns
    .filter(({ formerly, isRetired, since }) => since > lastOfThem && formerly === null && !isRetired)
    .map((column) => ({ column: column.name, read: readerOf(column) }))
  return (product) => {
    let told = ""
    for (const [name, tell] of hashed) told += told === "" ? tell(product[name]) : `, ${tell(product[name])}`
    told = `(${told})`
    for (const { column, read } of later) {
      const value = read(product)
      if (!isAbsent(value)) told += `, ${column}: ${JSON.stringify(value)}`
    }
    return hash("md5", told, "hex")
  }
}
