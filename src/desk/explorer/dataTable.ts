import type { Json } from "@duckdb/node-api"
import { shownText } from "../../feed/contract/shownText.ts"
import { html, type Html, type Shown, tableBox } from "../pages/html.ts"
import type { Row, SourceNames } from "./LakeReader.ts"
import { DateTime } from "effect"
import { grouped } from "../../store/diff/formatAmount.ts"
import { productAddress } from "./PageRequest.ts"
import { pictureMark } from "./pageMarks.ts"
import { sourceTitle } from "../../feed/contract/sourceTitles.ts"

/** Formats a count; DuckDB sends a BIGINT as text. */
export const counted = (count: Json | undefined): string =>
  count === null || count === undefined ? "" : grouped(String(count))

const signs = new Map([
  ["EUR", "€"],
  ["USD", "$"],
  ["GBP", "£"],
  ["JPY", "¥"]
])

/** Formats a DECIMAL text as a price: 1713.2000 and EUR become €1,713.20. Keeps every digit, at least two decimals. */
export const price = (amount: Json | undefined, currency: Json | undefined = null): string => {
  if (amount === null || amount === undefined || amount === "") return ""
  const [whole = "", places = ""] = grouped(String(amount).replace(/^-/, "")).split(".")
  const figure = `${whole}.${places.replace(/0+$/, "").padEnd(2, "0")}`
  const minus = String(amount).startsWith("-") ? "−" : ""
  if (currency === null || currency === "") return minus + figure
  const sign = signs.get(String(currency))
  return sign === undefined ? `${minus}${figure} ${String(currency)}` : minus + sign + figure
}

/** Formats a DECIMAL text as a change of price: +€3.00, −€3.00. */
export const move = (amount: Json | undefined, currency: Json | undefined = null): string => {
  const shown = price(amount, currency)
  return chooseTone(amount) === "rise" ? `+${shown}` : shown
}

/** Returns the direction of a change; "" if there is none. */
export const chooseTone = (change: Json | undefined): "rise" | "fall" | "" =>
  Number(change ?? 0) > 0 ? "rise" : Number(change ?? 0) < 0 ? "fall" : ""

/** Returns a verdict of price_trust that doubts a price; "" if there is no doubt. */
export const doubt = (verdict: Json | undefined): string =>
  typeof verdict === "string" && verdict !== "ok" ? verdict : ""

/** Formats a signed percentage with at least two decimals: +16.67 %. */
export const percent = (value: Json | undefined): string => {
  if (value === null || value === undefined) return ""
  const [whole = "", places = ""] = grouped(String(Math.abs(Number(value)))).split(".")
  return `${Number(value) < 0 ? "−" : Number(value) > 0 ? "+" : ""}${whole}.${places.padEnd(2, "0")} %`
}

/** Formats a share without sign: 83.33 %. */
export const share = (value: Json | undefined): string =>
  value === null || value === undefined ? "" : `${grouped(String(value))} %`

/** Formats a DuckDB instant, 2026-05-01 03:00:00+00, to the minute in UTC. */
export const instant = (at: Json | undefined): string =>
  typeof at === "string" ? `${at.slice(0, 16).replace("T", " ")} UTC` : ""

/** Formats the days of two instants; with times if both are on the same day. */
export const between = (from: Json | undefined, to: Json | undefined): string =>
  day(from) === day(to) && instant(from) !== instant(to)
    ? `${instant(from).replace(" UTC", "")} to ${instant(to).slice(11)}`
    : `${day(from)} to ${day(to)}`

export const day = (at: Json | undefined): string => (typeof at === "string" ? at.slice(0, 10) : "")

/** Converts a DuckDB instant to milliseconds since 1970. */
export const parseMillis = (at: string): number =>
  DateTime.toEpochMillis(DateTime.makeUnsafe(at.replace(" ", "T").replace(/\+00$/, "Z")))

/** Formats the age of an instant in the largest unit: 3 hours. */
export const age = (at: string, nowMillis: number): string => {
  const seconds = Math.max(0, (nowMillis - parseMillis(at)) / 1000)
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ["second", 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const units: ReadonlyArray<readonly [unit: string, seconds: number]> = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60]
]

/** The display format of a column's values; numbers are right-aligned. */
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

export interface Column {
  /** The column's name in the query result. */
  readonly name: string
  readonly label: string
  /** SQL expressions to sort by; default: the column itself. */
  readonly sortedBy?: ReadonlyArray<string>
  readonly shape?: Shape
  /** The column with the price's currency; default `currency`. */
  readonly currency?: string
  /** Returns the link target of a row; null = no link. */
  readonly link?: (row: Row) => string | null
  /** Returns the content of the cell; default: the value. */
  readonly shows?: (row: Row) => Shown
  /** True if a phone hides the column, because another one shows the same facts. */
  readonly isWide?: boolean
}

/** The sort order of a table's rows; `addressOf` the one that a click in its header requests. */
export interface TableOrder {
  readonly by: string
  readonly down: boolean
  readonly addressOf?: (column: string, down: boolean) => string
}

const figures: ReadonlySet<Shape> = new Set(["id", "exact", "count", "price", "move", "percent", "share"])

/** The maximum number of characters that a cell shows of a value; the item's page shows more. */
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
  readonly order: TableOrder | null
}

export const dataTable = (caption: string, columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): Html =>
  sortableTable({ caption, columns, rows, order: null })

/** Returns the columns that have a value in at least one row. */
export const filledColumns = (columns: ReadonlyArray<Column>, rows: ReadonlyArray<Row>): ReadonlyArray<Column> =>
  columns.filter(({ name }) => rows.some((row) => (row[name] ?? null) !== null))

/** A table whose header marks the sorted column; its headings sort the table if `order` has addresses. */
export const sortableTable = ({ caption, columns, order, rows }: SortableTable): Html =>
  tableBox({
    caption,
    heads: columns.map((column) => head(column, order)),
    rows: rows.map((row) => columns.map((column) => cell(column, row)))
  })

const chooseClass = ({ isWide = false, shape = "text" }: Column): string =>
  `${figures.has(shape) ? `figure ${shape}` : shape}${isWide ? " wide" : ""}`

const head = (column: Column, order: TableOrder | null): Html => {
  const isBy = order?.by === column.name
  const sort = isBy && html` aria-sort="${order.down ? "descending" : "ascending"}"`
  const label = html`<span>${column.label}</span>`
  if (order?.addressOf === undefined) {
    return html`<th scope="col" class="${chooseClass(column)}" ${sort}>${isBy ? label : column.label}</th>`
  }
  const down = isBy ? !order.down : figures.has(column.shape ?? "text") && column.shape !== "id"
  return html`<th scope="col" class="${chooseClass(column)}" ${sort}>
    <a href="${order.addressOf(column.name, down)}">${isBy ? label : column.label}</a>
  </th>`
}

const cell = (column: Column, row: Row): Html => {
  const { link, name, shape = "text", shows } = column
  const value = row[name]
  const shown = shows === undefined ? texts[shape](value, row[column.currency ?? "currency"]) : shows(row)
  const text = typeof shown === "string" ? shownText(shown, longest[shape]) : shown
  const address = link?.(row) ?? null
  const tone = shape === "percent" || shape === "move" ? ` ${chooseTone(value)}` : ""
  return html`<td class="${chooseClass(column)}${tone}">
    ${address === null || text === "" ? text : html`<a href="${address}">${text}</a>`}
  </td>`
}

const maxNameLength = 100

export const joinFacts = (facts: ReadonlyArray<Json | undefined>): string =>
  facts
    .filter((fact) => fact !== null && fact !== undefined && fact !== "")
    .map((fact) => shownText(String(fact), maxNameLength))
    .join(" · ")

/** A product in a list: its name, and below it the facts that distinguish it from others of that name. */
export const productCell = (address: string, name: Json | undefined, facts: ReadonlyArray<Json | undefined>): Html =>
  html`${pictureMark(address)}<a href="${address}">${shownText(String(name), maxNameLength)}</a>
    <small>${joinFacts(facts)}</small>`

/** The column of products in a list, with the facts that distinguish them; `below` is appended to these. */
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

/** A column of price sources that shows their display names. */
export const sourceColumn = ({ titles }: SourceNames, name: string, label = name): Column => ({
  name,
  label,
  shows: (row) => ((row[name] ?? null) === null ? "" : sourceTitle(titles, String(row[name])))
})
