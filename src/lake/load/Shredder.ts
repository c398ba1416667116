import { knownWords } from "../../contract/knownWords.ts"
import type { TakeRecord } from "../../extract/acceptPage.ts"
import type { PageKind } from "../../extract/Extraction.ts"
import { instantMicros } from "./batch/instantMicros.ts"
import { type Node, TableBatch } from "./batch/TableBatch.ts"
import type { OpenWords } from "./batch/columns.ts"
import { productHasher } from "./productHash.ts"
import { shredEntry } from "./shredEntry.ts"
import { shredProduct } from "./shredProduct.ts"
import { snapshotTables, tableNamed } from "./snapshotTables.ts"

/** Where the pieces of a record go. */
export interface Shredding {
  /** A row of a table: its first columns are `keys`, the others are read from `node`. */
  readonly row: (table: string, node: Node, ...keys: ReadonlyArray<unknown>) => void
  /** What the record says beyond the contract, once a record: `drift` counts it. */
  readonly note: (kind: string, place: string, word: string) => void
  /** A record whose release date is no instant keeps its text under `extra`. */
  readonly withOddDate: (record: Node) => Node
}

/** What takes the records of pages apart, one at a time, into the rows of their tables. */
export interface Shredder {
  readonly taker: (kind: PageKind, page: number) => TakeRecord
  /** Writes the rows that it still holds. */
  readonly write: () => void
}

/** The tables that an open list of words is looked at in: those of products. */
const isOfProduct = (table: string) => tableNamed(table).columns.some(({ name }) => name === "product_id")

/** Open lists by the column that has their words. */
const placeOf: Readonly<Record<string, keyof typeof knownWords>> = {
  finish: "finish",
  language: "language",
  condition: "condition",
  region: "region",
  product_category: "productCategory"
}

/** Shreds accepted records into batches of `folder`. Several may write to it, each under a name of its own. */
export const makeShredder = (gameId: string, place: { readonly folder: string; readonly writer: string }): Shredder => {
  const batches = new Map<string, TableBatch>()
  const noted = new Set<string>()
  const drift = new TableBatch(tableNamed("drift"), place)

  const note = (kind: string, at: string, word: string) => {
    const key = `${kind} ${at} ${word}`
    if (noted.has(key)) return
    noted.add(key)
    drift.row({}, kind, at, word, 1)
  }
  const wordsOf =
    (table: string) =>
    (column: string): OpenWords | null => {
      const list = placeOf[column]
      if (list === undefined || !isOfProduct(table)) return null
      return { known: new Set(knownWords[list]), onOther: (word) => note("word", list, word) }
    }
  for (const table of snapshotTables) {
    if (table.list !== "") batches.set(table.name, new TableBatch(table, place, wordsOf(table.name)))
  }
  const ofList = (kind: PageKind) => snapshotTables.filter(({ list }) => list === kind).map(({ name }) => name)
  const to: Shredding = {
    row: (table, node, ...keys) => batches.get(table)?.row(node, ...keys),
    note,
    withOddDate: (record) => {
      const date = record["releaseDate"]
      if (typeof date !== "string" || instantMicros(date) !== null) return record
      return { ...record, extra: { ...(record["extra"] as Node | undefined), releaseDate: date } }
    }
  }
  const product = shredProduct(to, productHasher(tableNamed("products").columns))
  const entry = shredEntry(to)
  const shred = (kind: PageKind, record: Node, page: number, index: number) => {
    if (kind === "products") return product(record)
    if (kind === "changelog") return entry(record, page, index)
    if (kind === "games" && record["id"] !== gameId) return
    for (const table of ofList(kind)) to.row(table, to.withOddDate(record))
  }
  const all = [...batches.values(), drift]
  return {
    taker: (kind, page) => (record, index) => {
      shred(kind, record, page, index)
      const date = record["releaseDate"]
      if (kind !== "games" && typeof date === "string" && instantMicros(date) === null)
        note("word", "releaseDate", date)
      if (noted.size > 0) noted.clear()
      for (const batch of all) batch.settle()
    },
    write: () => {
      for (const batch of all) batch.write()
    }
  }
}
