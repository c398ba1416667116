import { Array as Arr } from "effect"
import type { Chart, Line, Unit } from "../../pages/charts/Chart.ts"
import { lineColours } from "../../pages/charts/chartDrawing.ts"
import { grouped } from "../../../store/diff/formatAmount.ts"
import { price, type Column, dataTable, type Shape } from "../dataTable.ts"
import { chartColumns } from "./chartColumns.ts"
import type { ConsoleAnswer } from "./askConsole.ts"
import { html, type Html } from "../../pages/html.ts"
import type { Row } from "../LakeReader.ts"
import { expansionAddress, gameAddress, type KnownGame, productAddress } from "../PageRequest.ts"

/** A line of a result, with the keys that decide which chart it is in. */
interface DrawnLine extends Line {
  readonly kind: string
  readonly title: string
  readonly unit: Unit
}

const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/
const isDay = /^\d{4}-\d\d-\d\d/

/**
 * Draws a result of days and numbers as charts: a line for each number and each value of the column that names lines.
 * Each currency and each kind of number has a separate chart. No chart if a line has two rows for one day.
 */
export const resultCharts = ({ columns, drawn }: ConsoleAnswer): ReadonlyArray<Chart> => {
  const found = chartColumns(columns)
  if (found === null || drawn === null || drawn.some((row) => !isDay.test(row[found.day] ?? ""))) return []
  const groups = Map.groupBy(drawn, (row) =>
    JSON.stringify([found.currency, found.series].map((place) => (place === null ? "" : (row[place] ?? null))))
  )
  const lines = [...groups.values()].flatMap((rows) =>
    found.values.map((place): DrawnLine => {
      const { name, type } = columns[place] ?? { name: "", type: "" }
      const currency = found.currency === null ? null : (rows[0]?.[found.currency] ?? null)
      const series = found.series === null ? null : (rows[0]?.[found.series] ?? "none")
      const kind = `${currency ?? ""}\n${series === null ? numberFamily(type) : name}`
      const readings = rows
        .map((row) => ({
          day: (row[found.day] ?? "").slice(0, 10),
          origin: "night" as const,
          value: isNumber.test(row[place] ?? "") ? (row[place] ?? null) : null,
          low: null,
          high: null
        }))
        .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      return {
        name: series ?? name,
        kind,
        title: series === null ? "" : name,
        unit: chooseUnit(type, currency),
        readings
      }
    })
  )
  const isTwice = lines.some(({ readings }) => new Set(readings.map(({ day }) => day)).size < readings.length)
  if (isTwice || new Set(drawn.map((row) => row[found.day]?.slice(0, 10))).size < 2) return []
  const valued = lines.filter(({ readings }) => readings.some(({ value }) => value !== null))
  return [...Map.groupBy(valued, ({ kind }) => kind).values()].flatMap((all) =>
    Arr.chunksOf(all, lineColours).map((some): Chart => ({
      title: some[0]?.title === "" ? some.map(({ name }) => name).join(", ") : (some[0]?.title ?? ""),
      unit: some[0]?.unit ?? chooseUnit("", null),
      lines: some,
      from: null
    }))
  )
}

/** Prices are DECIMAL, counts are whole, averages are not; on a common scale some would be flat. */
const numberFamily = (type: string): string =>
  /^(FLOAT|DOUBLE)/.test(type) ? "DOUBLE" : type.startsWith("DECIMAL") ? "DECIMAL" : "INTEGER"

const chooseUnit = (type: string, currency: string | null): Unit => ({
  name: currency ?? "in the order of the query",
  shown: (amount) => (currency !== null || numberFamily(type) === "DECIMAL" ? price(amount, currency) : grouped(amount))
})

const isFigure = /^-?\d+(\.\d+)?$/
const isId = /^\d+$/

/** The rows of a result that a page shows; an id links to its page. */
export const resultTable = (caption: string, answer: ConsoleAnswer, games: ReadonlyArray<KnownGame>): Html =>
  dataTable(
    caption,
    answer.columns.map((_, index) => resultColumn(index, answer, games)),
    answer.rows.map((row) => Object.fromEntries(row.map((value, index) => [String(index), value])))
  )

/** Numeric columns are right-aligned and show every digit of the lake. */
const resultColumn = (index: number, { columns, rows }: ConsoleAnswer, games: ReadonlyArray<KnownGame>): Column => {
  const values = rows.flatMap((row) => row[index] ?? [])
  const figures = values.length > 0 && values.every((value) => isFigure.test(value))
  const name = String(index)
  const label = columns[index]?.name ?? ""
  return { name, label, shape: figures ? "exact" : "long", link: linkId(label.toLowerCase(), name, { columns, games }) }
}

/** Returns the link target of an id column; a lake of one game needs no `game_id` column. */
const linkId = (
  label: string,
  place: string,
  { columns, games }: Pick<ConsoleAnswer, "columns"> & { readonly games: ReadonlyArray<KnownGame> }
): ((row: Row) => string | null) => {
  const game = String(columns.findIndex(({ name }) => name.toLowerCase() === "game_id"))
  const findGame = (row: Row) => {
    const wanted = row[game] ?? (games.length === 1 ? games[0]?.gameId : null)
    return games.find(({ gameId }) => gameId === wanted)?.gameId ?? null
  }
  return (row) => {
    const [gameId, id] = [findGame(row), String(row[place] ?? "")]
    if (gameId === null) return null
    if (label === "game_id") return gameAddress(gameId, "expansions")
    if (!isId.test(id)) return null
    return label === "product_id"
      ? productAddress(gameId, id)
      : label === "expansion_id"
        ? expansionAddress(gameId, id)
        : null
  }
}

/** Compares figures of one column. Those that a double rounds to one value have the same number of decimal places. */
const compareFigures = (a: string, b: string): number => {
  const digits = (text: string) => BigInt(text.replace(".", ""))
  const difference = Number(a) - Number(b)
  return difference === 0 ? Number(digits(a) - digits(b)) : difference
}

/** Counts the values, nulls and distinct values of each column in the rows that a page shows, with their min and max. */
export const columnSummaries = ({ columns, more, rows }: ConsoleAnswer): Html => {
  const summaries = columns.map(({ name, type }, index): Row => {
    const values = rows.flatMap((row) => row[index] ?? [])
    const isFigures = values.every((value) => isFigure.test(value))
    const sorted = isFigures ? values.toSorted(compareFigures) : values.toSorted()
    return {
      column: name,
      type,
      values: values.length,
      nulls: rows.length - values.length,
      distinct: new Set(values).size,
      min: sorted[0] ?? null,
      max: sorted.at(-1) ?? null
    }
  })
  const column =
    (shape: Shape) =>
    (name: string): Column => ({ name, label: name, shape })
  const shown = [
    ...["column", "type"].map(column("code")),
    ...["values", "nulls", "distinct"].map(column("count")),
    ...["min", "max"].map(column("long"))
  ]
  const of = more ? `the first ${grouped(rows.length)} rows` : "the result"
  return html`<details class="summaries">
    <summary>Columns of ${of}</summary>
    ${dataTable(`Columns of ${of}`, shown, summaries)}
  </details>`
}
