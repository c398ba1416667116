import { Effect } from "effect"
import { displayWidth } from "effect/cli/CliOutput"
import { textTable } from "../src/night/observe/textTable.ts"
import { type FoundProduct, runSearch } from "../src/night/run/runSearch.ts"
import { formatAmount, grouped } from "../src/store/diff/formatAmount.ts"
import { printAnswer } from "./print/printAnswer.ts"
import type * as specs from "./specs/reading.ts"

const width = 80
/** Min width of a name while another column can be dropped. */
const shortestName = 24

const format = (value: FoundProduct[string] | undefined): string =>
  value === null || value === undefined ? "" : String(value)

const money = (row: FoundProduct): string => {
  const [whole = "", places = ""] = format(row["market_value"]).split(".")
  return whole === "" ? "" : `${grouped(whole)}.${places.replace(/0+$/, "").padEnd(2, "0")} ${format(row["currency"])}`
}

const percent = (row: FoundProduct): string => {
  const value = row["percent"] ?? null
  return value === null ? "" : `${Number(value) > 0 ? "+" : ""}${Number(value).toFixed(2)} %`
}

const named = (row: FoundProduct): string =>
  [format(row["name"]), row["other_name"] === null ? "" : `(${format(row["other_name"])})`, format(row["variant"])]
    .filter((part) => part !== "")
    .join(" ")

interface Column {
  readonly label: string
  readonly of: (row: FoundProduct) => string
}

/** The columns after the name. On a narrow terminal the last one is dropped first. */
const columns: ReadonlyArray<Column> = [
  { label: "market value", of: money },
  { label: "7 d", of: percent },
  { label: "number", of: (row) => `${format(row["expansion_code"])} ${format(row["print_number"])}`.trim() },
  { label: "id", of: (row) => format(row["product_id"]) },
  { label: "finish", of: (row) => format(row["finish"]) }
]
const gameColumn: Column = { label: "game", of: (row) => format(row["game_id"]) }

const measureColumn = (column: Column, rows: ReadonlyArray<FoundProduct>): number =>
  Math.max(column.label.length, ...rows.map((row) => displayWidth(column.of(row))))

/** Cuts a text to this width, at a letter. */
const cut = (text: string, columns: number): string => {
  if (displayWidth(text) <= columns) return text
  const letters = [...text]
  while (displayWidth(letters.join("")) > columns - 1) letters.pop()
  return `${letters.join("").trimEnd()}…`
}

/** Formats search results as a table that fits 80 columns. */
const foundText = (searchText: string, { found, products }: Effect.Success<ReturnType<typeof runSearch>>): string => {
  if (products.length === 0) {
    return `No product matches "${searchText}". Use fewer words, and whole ids`
  }
  const severalGames = new Set(products.map((row) => row["game_id"])).size > 1
  const all = severalGames ? [...columns.slice(0, 4), gameColumn, ...columns.slice(4)] : columns
  const shown = all.filter((column) => products.some((row) => column.of(row) !== ""))
  const remainingWidth = () => width - shown.reduce((sum, column) => sum + 2 + measureColumn(column, products), 0)
  while (remainingWidth() < shortestName && shown.length > 3) shown.pop()
  const name: Column = { label: "name", of: (row) => cut(named(row), Math.max(remainingWidth(), 12)) }
  const cells = [name, ...shown]
  const table = textTable(
    cells.map(({ label }) => label),
    products.map((row) =>
      cells.map((column) =>
        column.label === "market value" ? column.of(row).padStart(measureColumn(column, products)) : column.of(row)
      )
    )
  )
  const [first = ""] = products.map((row) => format(row["missing"]))
  const lacks =
    first !== "" && products.every((row) => row["missing"] === first)
      ? `\nNo product has all words. Left out: ${first}`
      : ""
  const like = products.every((row) => row["how"] === "like") ? "\nNo exact match; similar products" : ""
  const more =
    found > products.length
      ? `The first ${products.length} of ${grouped(found)} products. More: --most ${found}`
      : formatAmount(found, "product")
  return `${table}\n${more}${like}${lacks}`
}

export const search = Effect.fnUntraced(function* ({ game, json, most, words }: typeof specs.search.Input) {
  const searchText = words.join(" ")
  const found = yield* runSearch({ text: searchText, gameId: game, most })
  yield* printAnswer(json, found, (all) => foundText(searchText, all))
})
