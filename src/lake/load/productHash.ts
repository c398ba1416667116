import { hash } from "node:crypto"
import type { Column } from "../duckdb/tableFile.ts"
import type { Node } from "./batch/TableBatch.ts"

/** How a value is told: a text, JSON, a list, or an object with its fields in one order. */
type Told = "text" | "json" | { readonly list: Told } | { readonly fields: Readonly<Record<string, Told>> }

const texts = (...names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name): [string, Told] => [name, "text"]))
const finishIds: Told = { list: { fields: texts("finish", "id") } }

/** What versions 1 and 2 of the contract hashed, in their order. It stays: a hash that moved would make every product look touched. */
const hashed: Readonly<Record<string, Told>> = {
  ...texts("productType", "productCategory", "name", "nameSlug"),
  languages: { list: "text" },
  finishes: { list: "text" },
  expansionId: "text",
  expansion: { fields: texts("id", "code", "name", "symbolUrl") },
  externalIds: {
    fields: {
      sourceEur: finishIds,
      sourceUsd: finishIds,
      ...texts("mtgId", "mtgOracleId", "konamiStyleId", "lorcanaId", "fabId", "riftboundId")
    }
  },
  ...texts("printNumber", "variant", "rarity", "imageUrl", "imageBackUrl", "releaseDate"),
  attributes: "json",
  extra: "json",
  availability: "json"
}
const lastOfThem = 2

/** A text that would be read as something else is quoted, as DuckDB's own text of a row has it. */
const readsOtherwise = /^$|["'(),:=[\]{}]|^[ \t-\r]|[ \t-\r]$|^null$/i
const quoted = (text: string): string =>
  readsOtherwise.test(text) ? `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'` : text

const told = (how: Told, value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (how === "text") return quoted(String(value))
  if (how === "json") return quoted(JSON.stringify(value))
  if ("list" in how) return Array.isArray(value) ? `[${value.map((item) => told(how.list, item)).join(", ")}]` : "NULL"
  const fields = Object.entries(how.fields).map(([name, inner]) => `'${name}': ${told(inner, (value as Node)[name])}`)
  return `{${fields.join(", ")}}`
}

const entries = Object.entries(hashed)

/**
 * What makes a product's row hash: md5 over everything but prices. A column that later versions brought counts where it has a value, so
 * that no product is touched because the contract grew.
 */
export const productHasher = (columns: ReadonlyArray<Column>): ((product: Node) => string) => {
  const later = columns
    .filter(({ formerly, isRetired, since }) => since > lastOfThem && formerly === null && !isRetired)
    .map(({ from, name }) => from ?? name)
  return (product) => {
    const text = `(${entries.map(([name, how]) => told(how, product[name])).join(", ")})`
    const more = later.filter((name) => (product[name] ?? null) !== null)
    return hash("md5", text + more.map((name) => `, ${name}: ${JSON.stringify(product[name])}`).join(""), "hex")
  }
}
