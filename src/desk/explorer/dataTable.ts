import type { Json } from "@duckdb/node-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { html, type Html, type Shown, tableBox } from "../pages/html.ts"
import type { Row, SourceNames } from "./LakeReader.ts"
import { DateTime } from "effect"
import { grouped } from "../../store/diff/amountOf.ts"
import { productAddress } from "./PageRequest.ts"
import { pictureMark } from "./pageMarks.ts"
import { titleOf } from "../../feed/contract/sourceTitles.ts"

/** A count as DuckDB sends it, BIGINT as text. */
export const counted = (count: Json | undefined): string =>
  count === null || count === undefined ? "" : grouped(String(count))

const signs = new Map([
  ["EUR", "€"],
  ["USD", "$"],
  ["GBP", "£"],
  ["JPY", "¥"]
])

/** A DECIMAL text as a price: 1713.2000 and EUR read €1,713.20. At least two places, never fewer than it has. */
export const price = (amount: Json | undefined, currency: Json | undefined = null): string => {
  if (amount === null || amount === undefined || amount === "") return ""
  const [whole = "", places = ""] = grouped(String(amount).replace(/^-/, "")).split(".")
  const figure = `${whole}.${places.replace(/0+$/, "").padEnd(2, "0")}`
  const minus = String(amount).startsWith("-") ? "−" : ""
  if (currency === null || currency === "") return minus + figure
  const sign = signs.get(String(currency))
  return sign === undefined ? `${minus}${figure} ${String(currency)}` : minus + sign + figure
}

/** A DECIMAL text as a change of price: +€3.00, −€3.00. */
export const move = (amount: Json | undefined, currency: Json | undefined = null): string => {
  const shown = price(amount, currency)
  return toneOf(amount) === "rise" ? `+${shown}` : shown
}

/** Which way a change goes; "" = it is none. */
export const toneOf = (change: Json | undefined): "rise" | "fall" | "" =>
  Number(change ?? 0) > 0 ? "rise" : Number(change ?? 0) < 0 ? "fall" : ""

/** A signed figure of percent, at least two places: +16.67 %. */
export const percent = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  const [whole = "", places = ""] = grouped(String(Math.abs(Number(value)))).split(".")
  return `${Number(value) < 0 ? "−" : Number(value) > 0 ? "+" : ""}${whole}.${places.padEnd(2, "0")} %`
}

/** A share without sign: 83.33 %. */
export const share = (value: Json | undefined): string =>
  value === null || value === undefined ? "" : `${grouped(String(value))} %`

/** An instant as DuckDB sends it, 2026-05-01 03:00:00+00, to the minute of UTC. */
export const instant = (at: Json | undefined): string =>
  typeof at === "string" ? `${at.slice(0, 16).replace("T", " ")} UTC` : ""

/** The days of two instants; of one day, their times as well. */
export const between = (from: Json | undefined, to: Json | undefined): string =>
  day(from) === day(to) && instant(from) !== instant(to)
    ? `${instant(from).replace(" UTC", "")} to ${instant(to).slice(11)}`
    : `${day(from)} to ${day(to)}`

/** The day of an instant. */
export const day = (at: Json | undefined): string => (typeof at === "string" ? at.slice(0, 10) : "")

/** An instant as DuckDB sends it, in milliseconds since 1970. */
export const millisOf = (at: string): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(at.replace(" ", "T").replace(/\+00$/, "Z")))

/** How long ago an instant was, in the greatest unit: 3 hours. */
export const age = (at: string, nowMillis: number): string => {
  const seconds = Math.max(0, (nowMillis - millisOf(at)) / 1000)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const units: ReadonlyArray<readonly [unit: string, seconds: number]> = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
]

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

const plain = (value: Json | undefined): string => (value === null || value === undefined ? "" : String(value))

const texts: Readonly<Record<Shape, (value: Json | undefined, currency: Json | undefined) => string>> = {
  text: (value) => (Array.isArray(value) ? value.join(", ") : plain(value)),
  long: plain,
  code: (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : plain(value)),
  id: plain,
  exact: plain,
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

/** Letters of a name that a list shows. */
const maxNameLength = 100

/** Facts on one line, without those that are absent. */
export const joinFacts = (facts: ReadonlyArray<Json | undefined>): string =>
  facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== "")
    .map((fact) => shownText(String(fact), maxNameLength))
    .join(" · ")

/** A product in a list: its name, and on a line below what tells it from others of that name. */
export const productCell = (address: string, name: Json | undefined, facts: ReadonlyArray<Json | undefined>): Html =>
  html`${pictureMark(address)}<a href="${address}">${shownText(String(name), maxNameLength)}</a>
    <small>${joinFacts(facts)}</small>`

/** The column of products in a list, with what tells each from others of its name; `below` follows that. */
export const productColumn = (
  facts: ReadonlyArray<string>,
  {
    below,
    gameId,
    label = "name"
  }: { readonly below?: (row: Row) => Html; readonly gameId?: string; readonly label?: string } = {}
): Column => ({
  name: "name",
  label,
  shows: (row) => {
    const address = productAddress(gameId ?? String(row["game_id"]), row["product_id"])
    const about = facts.map((fact) => row[fact])
    return html`${productCell(address, row["name"] ?? row["product_id"], about)}${below?.(row)}`
  }
})

/** A column of sources, or of what may be one, as people call them. */
export const sourceColumn = ({ titles }: SourceNames, name: string, label = name): Column => ({
  name,
  label,
  shows: (row) => ((row[name] ?? null) === null ? "" : titleOf(titles, String(row[name])))
})
