import type { Dialect } from "../contract/dialect/dialects.ts"
import { knownWords } from "../contract/knownWords.ts"
import type { RecordSink } from "./acceptPage.ts"
import type { PageKind } from "../contract/records.ts"
import { isObject } from "./isObject.ts"
import { instantMicros } from "./batch/numberColumns.ts"
import { type BatchPlace, TableBatch, type Node } from "./batch/TableBatch.ts"
import type { OpenWords } from "./batch/textColumns.ts"
import { type Shredding, shredProduct } from "./shredProduct.ts"
import { priceLines, shredCatalogLine, shredExpansionLine, shredPriceLine } from "./shredLines.ts"
import { snapshotTables, tableNamed } from "../schema/snapshotTables.ts"

/** An upper bound of the entries on a page of the changelog. */
const placesOfPage = 1000

const entities = [
  ["products", "product"],
  ["expansions", "expansion"]
] as const
const kinds = ["added", "modified", "removed"]

/** Adds an entry of the changelog to its tables; `page` and `index` are its position in the feed, newest first. */
export const shredEntry = (to: Shredding, { changedIds }: Dialect) => {
  const deployments = to.table("deployments")
  const changed = to.table("deployment_changes")
  return (entry: Node, page: number, index: number) => {
    deployments.row({ ...entry, feedPosition: page * placesOfPage + index + 1 })
    const { changes, id } = entry
    if (!isObject(changes)) return
    for (const [list, entity] of entities) {
      const word = changedIds[list]
      const items = changes[list]
      for (const change of isObject(items) ? kinds : []) {
        const named = isObject(items) ? items[change] : []
        for (const [place, item] of (Array.isArray(named) ? named : []).entries()) {
          const one: Node = isObject(item) ? item : {}
          changed.row(one, id, entity, change, place + 1, one["slug"], one[word])
        }
      }
    }
  }
}

/** True if the open lists of a table are checked for unknown values: of tables about products. */
const isOfProduct = (table: string) => tableNamed(table).columns.some(({ name }) => name === "product_id")

/** The known values of each column with an open list. */
const listsByColumn: Readonly<Record<string, keyof typeof knownWords>> = {
  finish: "finish",
  language: "language",
  condition: "condition",
  region: "region",
  product_category: "productCategory"
}

/** The batches of all tables, and the drift that concerns several: unknown values and invalid dates. */
const makeBatches = (gameId: string, place: BatchPlace) => {
  const batches = new Map<string, TableBatch>()
  const noted = new Set<string>()
  const drift = new TableBatch(tableNamed("drift"), place)
  batches.set(priceLines.name, new TableBatch(priceLines, place))

  const note = (kind: string, at: string, word: string) => {
    const key = `${kind} ${at} ${word}`
    if (noted.has(key)) return
    noted.add(key)
    drift.row({}, kind, at, word, 1)
  }
  const findWords =
    (table: string) =>
    (column: string): OpenWords | null => {
      const list = listsByColumn[column]
      if (list === undefined || !isOfProduct(table)) return null
      return { known: new Set(knownWords[list]), onOther: (word) => note("word", list, word) }
    }
  for (const table of snapshotTables) {
    if (table.list !== "") batches.set(table.name, new TableBatch(table, place, findWords(table.name)))
  }
  const table = (name: string): TableBatch => {
    const batch = batches.get(name)
    if (batch === undefined) throw new Error(`No list makes rows of ${name}`)
    return batch
  }
  const badDateToExtra = (record: Record<string, unknown>) => {
    const date = record["releaseDate"]
    if (typeof date !== "string" || instantMicros(date) !== null) return
    record["extra"] = { ...(isObject(record["extra"]) ? record["extra"] : {}), releaseDate: date }
    // Games are left out, because their release date is not checked.
    if (record["id"] !== gameId) note("word", "releaseDate", date)
  }
  const to: Shredding = { table, note, badDateToExtra }
  return { all: [...batches.values(), drift], noted, to }
}

/** Splits accepted records into rows, as batches of a folder. Several shredders may share it by name. */
export const makeShredder = (gameId: string, place: BatchPlace) => {
  const { all, noted, to } = makeBatches(gameId, place)
  const { badDateToExtra, table } = to
  const shreddersIn = (dialect: Dialect) => ({
    product: shredProduct(to, dialect),
    entry: shredEntry(to, dialect),
    catalog: shredCatalogLine(to, dialect),
    prices: shredPriceLine(to, dialect),
    feedExpansions: shredExpansionLine(to)
  })
  const made = new Map<string, ReturnType<typeof shreddersIn>>()
  const wordedIn = (dialect: Dialect) => {
    const known = made.get(dialect.name) ?? shreddersIn(dialect)
    made.set(dialect.name, known)
    return known
  }
  /** Records of the other lists have one row each. */
  const flat = (kind: PageKind) => {
    const tables = snapshotTables.filter(({ list }) => list === kind).map(({ name }) => table(name))
    return (record: Record<string, unknown>) => {
      badDateToExtra(record)
      for (const one of tables) one.row(record)
    }
  }
  const makeSink = (kind: PageKind, page: number, dialect: Dialect): RecordSink => {
    if (kind === "products") return wordedIn(dialect).product
    if (kind === "changelog") {
      const { entry } = wordedIn(dialect)
      return (record, index) => entry(record, page, index)
    }
    if (kind === "catalog" || kind === "prices" || kind === "feedExpansions") return wordedIn(dialect)[kind]
    const shred = flat(kind)
    // The page of the list of games has all games.
    return kind === "games" ? (record) => (record["id"] === gameId ? shred(record) : undefined) : shred
  }
  return {
    sink: (kind: PageKind, page: number, dialect: Dialect): RecordSink => {
      const shred = makeSink(kind, page, dialect)
      return (record, index) => {
        shred(record, index)
        if (noted.size > 0) noted.clear()
        for (const batch of all) batch.flushIfFull()
      }
    },
    write: () => {
      for (const batch of all) batch.write()
    }
  }
}

export type Shredder = ReturnType<typeof makeShredder>
