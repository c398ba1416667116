import { isObject } from "./isObject.ts"
import type { Column } from "../schema/tableFile.ts"
import { jsonText } from "./batch/jsonText.ts"
import { type Node, readerOf } from "./batch/TableBatch.ts"
import { RowText } from "./RowText.ts"

/** How a value is told in the text that is hashed. */
export type Tell = (to: RowText, value: unknown) => void

const isAbsent = (value: unknown): boolean => value === null || value === undefined
export const text: Tell = (to, value) => {
  if (typeof value === "string") to.text(value)
  else to.put(isAbsent(value) ? "NULL" : String(value))
}
export const json: Tell = (to, value) => (isAbsent(value) ? to.put("NULL") : to.text(jsonText(value)))

export const list =
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
export const fields = (of: Readonly<Record<string, Tell>>, wordOf: Readonly<Record<string, string>> = {}): Tell => {
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

/** What a row hash has been made of since a table has one. */
export interface Hashed {
  /** The record's fields, in their order. It stays: a hash that moved would make every row look touched. */
  readonly fields: Readonly<Record<string, Tell>>
  /** The contract version whose columns they are. */
  readonly version: number
}

/**
 * What makes a record's row hash, an md5. A column that later versions brought counts
 * where it has a value, so that no row is touched because the contract grew.
 */
export const rowHasher = (columns: ReadonlyArray<Column>, hashed: Hashed): ((record: Node) => string) => {
  const first = Object.entries(hashed.fields)
  const later = columns
    .filter(({ formerly, isRetired, since }) => since > hashed.version && formerly === null && !isRetired)
    .map((column) => ({ column: column.name, read: readerOf(column) }))
  const to = new RowText()
  return (record) => {
    let head = "("
    for (const [name, tell] of first) {
      to.put(head)
      tell(to, record[name])
      head = ", "
    }
    to.put(")")
    for (const { column, read } of later) {
      const value = read(record)
      if (isAbsent(value)) continue
      to.put(`, ${column}: `)
      to.text(jsonText(value))
    }
    return to.md5()
  }
}
