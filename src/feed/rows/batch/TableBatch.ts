import { join } from "node:path"
import { diskHere } from "../../disk/Disk.ts"
import { isObject } from "../isObject.ts"
import type { Column } from "../../schema/tableFile.ts"
import { type BatchColumn, parquetFile } from "./parquetFile.ts"
import { type OpenWords, JsonColumn, ListColumn, TextColumn } from "./textColumns.ts"
import { InstantColumn, IntegerColumn, WholeColumn } from "./numberColumns.ts"

/** The part of a record that supplies the columns of a row. */
export type Node = Readonly<Record<string, unknown>>

/** The size of DuckDB's row groups; a batch of long texts is smaller. The first batch is small, to find out which texts repeat. */
const maxRows = 122_880
const rowsOfFirst = 4096
const maxBytes = 32_000_000

/** The columns of a batch. It leaves out the game, which is equal in all rows, and retired columns, which are null. */
export const batchedColumns = (columns: ReadonlyArray<Column>): ReadonlyArray<Column> =>
  columns.filter(({ name, retired, type }) => type !== "" && name !== "game_id" && retired === null)

/** Returns the path of a column in a node: from its header, else its name in the feed's spelling. */
export const columnPath = ({ from, name }: Pick<Column, "from" | "name">): string =>
  from ?? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const makeReader = (column: Pick<Column, "from" | "name">): ((node: Node) => unknown) => {
  const [key = "", ...inner] = columnPath(column).split(".")
  if (inner.length === 0) return (node) => node[key]
  return (node) => inner.reduce((outer: unknown, part) => (isObject(outer) ? outer[part] : null), node[key])
}

export interface BatchPlace {
  readonly folder: string
  readonly writer: string
}

/** Collects rows of one table and writes them as Parquet files. `words` lists the columns with open lists of values. */
export class TableBatch {
  readonly #columns: ReadonlyArray<BatchColumn>
  /** A property read is faster than a call, and a night has a hundred million values. */
  readonly #keys: ReadonlyArray<string | null>
  readonly #readers: ReadonlyArray<(node: Node) => unknown>
  readonly #file: (batch: number) => string
  #rows = 0
  #batches = 0

  constructor(
    table: { readonly name: string; readonly columns: ReadonlyArray<Column> },
    { folder, writer }: BatchPlace,
    words: (column: string) => OpenWords | null = () => null
  ) {
    const columns = batchedColumns(table.columns)
    this.#columns = columns.map(({ name, type }) => makeColumn(name, type, words(name)))
    this.#keys = columns.map(columnPath).map((path) => (path.includes(".") ? null : path))
    this.#readers = columns.map(makeReader)
    this.#file = (batch) => join(folder, table.name, `${writer}-${batch}.parquet`)
  }

  /** Adds a row: its first columns are `keys`, the others come from `node`. */
  row(node: Node, ...keys: ReadonlyArray<unknown>): void {
    this.#rows += 1
    const columns = this.#columns
    const names = this.#keys
    let at = 0
    for (; at < keys.length; at++) columns[at]?.add(keys[at])
    for (; at < columns.length; at++) {
      const name = names[at] ?? null
      columns[at]?.add(name === null ? this.#readers[at]?.(node) : node[name])
    }
  }

  flushIfFull(): void {
    if (
      this.#rows >= (this.#batches === 0 ? rowsOfFirst : maxRows) ||
      (this.#rows % 1024 === 0 && this.#size() > maxBytes)
    )
      this.write()
  }

  #size(): number {
    return this.#columns.reduce((sum, column) => sum + column.size(), 0)
  }

  write(): void {
    if (this.#rows === 0) return
    const parts = parquetFile(
      this.#rows,
      this.#columns.map((column) => column.take())
    )
    const file = this.#file(this.#batches++)
    this.#rows = 0
    diskHere().writeNow(file, parts)
  }
}

/** Creates the column writer of a DuckDB type. Throws on unsupported types, which no table has. */
export const makeColumn = (name: string, type: string, open: OpenWords | null): BatchColumn => {
  const [, digits, places] = /^decimal\((\d+), (\d+)\)$/.exec(type) ?? []
  if (digits !== undefined) return new WholeColumn(name, { digits: Number(digits), places: Number(places) })
  switch (type) {
    case "bigint":
      return new WholeColumn(name)
    case "integer":
      return new IntegerColumn(name)
    case "timestamptz":
      return new InstantColumn(name)
    case "varchar":
      return new TextColumn(name, open)
    case "json":
      return new JsonColumn(name)
    case "varchar[]":
      return new ListColumn(name)
    default:
      throw new Error(`No batch has a column of type ${type}`)
  }
}
