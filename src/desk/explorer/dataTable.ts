import type { Json } from "@duckdb/node-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { counted, day, instant, move, percent, price, share, toneOf } from "./figures.ts"
import { html, type Html, type Shown } from "../pages/html.ts"
import { tableBox } from "../pages/tableBox.ts"
import type { Row } from "./LakeReader.ts"

/** How the values of a column are shown; figures are right-aligned. */
export type Shape =
  | "text"
  | "long"
  | "code"
  | "id"
  | "exact"
  | "count"
  | "price"
  | "move"
  | "percent"
  | "share"
  | "instant"
  | "day"

/** A column of a table. */
export interface Column {
  /** Its name in the query's rows. */
  readonly name: string
  readonly label: string
  /** Expressions of the query's columns that the list is sorted by; else the column itself. */
  readonly sortedBy?: ReadonlyArray<string>
  readonly shape?: Shape
  /** The column with a price's currency; default `currency`. */
  readonly currency?: string
  /** What the value links to; null = nothing. */
  readonly link?: (row: Row) => string | null
  /** What the cell shows instead of the value. */
  readonly shows?: (row: Row) => Shown
  /** A phone leaves it out: another column says the same there. */
  readonly isWide?: boolean
}

/** What the rows of a table are sorted by. */
export interface SortedBy {
  readonly by: string
  readonly down: boolean
}

/** The order of a table: shown in its head, changed by a click there. */
export interface TableOrder extends SortedBy {
  readonly addressOf: (column: string, down: boolean) => string
}

const figures: ReadonlySet<Shape> = new Set(["id", "exact", "count", "price", "move", "percent", "share"])

/** Letters that a cell shows of a value; a page of its own has more. */
const longest: Readonly<Partial<Record<Shape, number>>> = { text: 200, long: 2000, code: 2000 }

const texts: Readonly<Record<Shape, (value: Json | undefined, currency: Json | undefined) => string>> = {
  text: (value) =>
    value === null || value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value),
  long: (value) => (value === null || value === undefined ? "" : String(value)),
  code: (value) =>
    value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value),
  id: (value) => (value === null || value === undefined ? "" : String(value)),
  exact: (value) => (value === null || value === undefined ? "" : String(value)),
  count: counted,
  price,
  move,
  percent,
  share,
  instant,
  day
}

interface SortableTable {
  readonly caption: string
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<Row>
  readonly order: TableOrder | SortedBy | null
}

export const dataTable = (caption: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): Html =>
  sortableTable({ caption, columns, rows, order: null })

/** The columns in which some row has a value. */
export const filledColumns = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): ReadonlyArray<Column> =>
  columns.filter(({ name }) => rows.some((row) => (row[name] ?? null) !== null))

/** The same with the column marked that it is sorted by, and headings that sort it if `order` has addresses. */
export const sortableTable = ({ caption, columns, order, rows }: SortableTable): Html =>
  tableBox({
    caption,
    heads: columns.map((column) => head(column, order)),
    rows: rows.map((row) => columns.map((column) => cell(column, row)))
  })

const classOf = ({ isWide = false, shape = "text" }: Column): string =>
  `${figures.has(shape) ? `figure ${shape}` : shape}${isWide ? " wide" : ""}`

const head = (column: Column, order: TableOrder | SortedBy | null): Html => {
  const isBy = order?.by === column.name
  const sort = isBy && html` aria-sort="${order.down ? "descending" : "ascending"}"`
  const label = html`<span>${column.label}</span>`
  if (order === null || !("addressOf" in order)) {
    return html`<th scope="col" class="${classOf(column)}" ${sort}>${isBy ? label : column.label}</th>`
  }
  const down = isBy ? !order.down : figures.has(column.shape ?? "text") && column.shape !== "id"
  return html`<th scope="col" class="${classOf(column)}" ${sort}>
    <a href="${order.addressOf(column.name, down)}">${isBy ? label : column.label}</a>
  </th>`
}

const cell = (column: Column, row: Row): Html => {
  const { link, name, shape = "text", shows } = column
  const value = row[name]
  const shown = shows === undefined ? texts[shape](value, row[column.currency ?? "currency"]) : shows(row)
  const text = typeof shown === "string" ? shownText(shown, longest[shape]) : shown
  const address = link?.(row) ?? null
  const tone = shape === "percent" || shape === "move" ? ` ${toneOf(value)}` : ""
  return html`<td class="${classOf(column)}${tone}">
    ${address === null || text === "" ? text : html`<a href="${address}">${text}</a>`}
  </td>`
}
