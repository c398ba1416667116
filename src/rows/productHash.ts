import type { Dialect } from "../contract/dialects.ts"
import { isObject } from "./isObject.ts"
import type { Column } from "../schema/tableFile.ts"
import { jsonText } from "./batch/jsonText.ts"
import { type Node, readerOf } from "./batch/TableBatch.ts"
import { RowText } from "./RowText.ts"

/** How a value is told in the text that is hashed. */
type Tell = (to: RowText, value: unknown) => void

const isAbsent = (value: unknown): boolean => value === null || value === undefined
const text: Tell = (to, value) => {
  if (typeof value === "string") to.text(value)
  else to.put(isAbsent(value) ? "NULL" : String(value))
}
const json: Tell = (to, value) => (isAbsent(value) ? to.put("NULL") : to.text(jsonText(value)))

const list =
  (item: Tell): Tell =>
  (to, value) => {
    if (!Array.isArray(value)) return to.put("NULL")
    let head = "["
    for (const one of value) {
      to.put(head)
      item(to, one)
      head = ", "
    }
    to.put(value.length === 0 ? "[]" : "]")
  }

/** An object as its fields, in this order; `wordOf` says where one of them is if not under its own name. */
const fields = (of: Readonly<Record<string, Tell>>, wordOf: Readonly<Record<string, string>> = {}): Tell => {
  const named = Object.entries(of).map(([field, tell], at) => ({
    name: wordOf[field] ?? field,
    tell,
    head: `${at === 0 ? "{" : ", "}'${field}': `
  }))
  return (to, value) => {
    if (!isObject(value)) return to.put("NULL")
    for (const { head, name, tell } of named) {
      to.put(head)
      tell(to, value[name])
    }
    to.put("}")
  }
}

const finishIds = list(fields({ finish: text, id: text }))

/**
 * What versions 1 and 2 of the contract hashed, in their order. It
 * stays: a hash that moved would make every product look touched.
 */
const hashedIn = ({ ids }: Dialect): ReadonlyArray<readonly [name: string, tell: Tell]> =>
  Object.entries({
    productType: text,
    productCategory: text,
    name: text,
    nameSlug: text,
    languages: list(text),
    finishes: list(text),
    expansionId: text,
    expansion: fields({ id: text, code: text, name: text, symbolUrl: text }),
    externalIds: fields(
      {
        sourceEur: finishIds,
        sourceUsd: finishIds,
        mtgId: text,
        mtgOracleId: text,
        konamiStyleId: text,
        lorcanaId: text,
        fabId: text,
        riftboundId: text
      },
      ids
    ),
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
 * What makes a product's row hash: md5 over everything but prices. A column that later versions
 * brought counts where it has a value, so that no product is touched because the contract grew.
 */
export const productHasher = (columns: ReadonlyArray<Column>, dialect: Dialect): ((product: Node) => string) => {
  const hashed = hashedIn(dialect)
  const later = columns
    .filter(({ formerly, isRetired, since }) => since > lastOfThem && formerly === null && !isRetired)
    .map((column) => ({ column: column.name, read: readerOf(column) }))
  const to = new RowText()
  return (product) => {
    let head = "("
    for (const [name, tell] of hashed) {
      to.put(head)
      tell(to, product[name])
      head = ", "
    }
    to.put(")")
    for (const { column, read } of later) {
      const value = read(product)
      if (isAbsent(value)) continue
      to.put(`, ${column}: `)
      to.text(jsonText(value))
    }
    return to.md5()
  }
}
