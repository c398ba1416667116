import { Array as Arr, Effect } from "effect"
import { type SourceTitles, sourceTitle } from "../../feed/contract/sourceTitles.ts"
import type { Chart, Line, Unit } from "../pages/charts/Chart.ts"
import { lineColours } from "../pages/charts/chartDrawing.ts"
import { day, price } from "./dataTable.ts"
import type { Row } from "./LakeReader.ts"
import { choiceLinks } from "./pageChoices.ts"
import { addressWith, readChoice, type PageRequest } from "./PageRequest.ts"
import { queryNamed } from "./queryNamed.ts"

/** Spans of a chart in days, with their labels. */
const spans = { 7: "7 d", 30: "30 d", 90: "90 d", 365: "1 y", all: "All" } as const

/**
 * Returns the span that the address names. A span that covers every day is the same as all. If `product` is null,
 * days of the service's history do not count.
 */
export const chartSpan = Effect.fnUntraced(function* (request: PageRequest, game: string, product: bigint | null) {
  const wanted = yield* readChoice(request, "span", ["90", ...Object.keys(spans)])
  const days = wanted === "all" ? null : Number(wanted)
  const [read = {}] = yield* request.lake.rows("Read the days of readings", queryNamed("read_days"), {
    game,
    id: product,
    days
  })
  const extent = Number(read["extent"] ?? 0)
  const isAll = days === null || days >= extent
  const current = isAll ? "all" : wanted
  const offered = Object.entries(spans).filter(([span]) => span === "all" || Number(span) < extent)
  const links =
    offered.length > 1 &&
    choiceLinks(
      "Days of the charts",
      offered.map(([span, label]) => [
        label,
        `${addressWith(request, { span: span === "90" ? null : span })}#chart`,
        span === current
      ]),
      " spans"
    )
  return {
    /** The first day; null = all days. */
    from: isAll ? null : String(read["from_day"]),
    /** The last day read before `from`, whose prices are still valid on `from`; null = all days count. */
    readFrom: isAll ? null : String(read["read_from"]),
    /** Links to the other spans; false if the data covers at most a week. */
    links
  }
})
/** The days that the charts of a page show. */
export type ChartSpan = Effect.Success<ReturnType<typeof chartSpan>>

/** Display names of regions in the legend. */
const regions = new Map([
  ["eu", "EU"],
  ["na", "NA"]
])

/** The title of a chart that a query calls `sources` or `marketplace`. */
const titleOfChart = (titles: SourceTitles, chart: string): string => {
  if (chart === "marketplace") return `${sourceTitle(titles, chart)}, lowest listing`
  return chart === "sources" ? "Price sources" : chart
}

/** The unit of amounts: a currency, or an index without one. */
const chooseUnit = (row: Row | undefined): Unit => {
  const currency = row?.["currency"] ?? null
  return { name: String(currency ?? row?.["unit"] ?? ""), shown: (amount) => price(amount, currency) }
}

/**
 * Draws series rows (chart, source, finish, day, currency or unit, price, low, high, origin), ordered by day: a chart
 * for each kind and unit. A chart with more lines than colours is split by source.
 */
export const priceCharts = (
  rows: ReadonlyArray<Row>,
  titles: SourceTitles,
  { from, marks = [], peaks = [] }: Pick<ChartSpan, "from"> & Marked
): ReadonlyArray<Chart> =>
  groupRows(rows, (row) => `${text(row, "chart")}\n${chooseUnit(row).name}`).flatMap((group) => {
    const title = titleOfChart(titles, text(group[0], "chart"))
    const makeChart = (lines: ReadonlyArray<Line>): Chart => ({ title, unit: chooseUnit(group[0]), lines, from, marks })
    const ofSources = groupRows(group, (row) => text(row, "source")).map((source) => makeLines(source, titles, peaks))
    const all = ofSources.flat()
    if (all.length <= lineColours) return all.length === 0 ? [] : [makeChart(all)]
    return ofSources.flatMap((lines) => Arr.chunksOf(lines, lineColours).map(makeChart))
  })

/** The days that the charts of a product mark: releases, holds, all-time highs and lows. */
export interface Marked {
  readonly marks?: Chart["marks"]
  /** Rows of queries/product/prices.sql. */
  readonly peaks?: ReadonlyArray<Row>
}

/** The highest and lowest value of all time of a line; none if it has only had one value. */
const peaksOfLine = (row: Row | undefined, peaks: ReadonlyArray<Row>): Line["peaks"] => {
  const ever = peaks.find(({ currency, finish, source }) =>
    [currency, finish, source].every((value, at) => value === row?.[["currency", "finish", "source"][at] ?? ""])
  )
  if (ever === undefined || row?.["chart"] !== "sources" || ever["ever_high"] === ever["ever_low"]) return []
  return (["high", "low"] as const).flatMap((end) =>
    (ever[`ever_${end}`] ?? null) === null
      ? []
      : [
          {
            day: day(ever[`${end}_at`]),
            value: text(ever, `ever_${end}`),
            label: `${end === "high" ? "highest" : "lowest"} read: ${price(ever[`ever_${end}`], ever["currency"])} on ${day(ever[`${end}_at`])}`
          }
        ]
  )
}

const makeLines = (rows: ReadonlyArray<Row>, titles: SourceTitles, peaks: ReadonlyArray<Row>): ReadonlyArray<Line> =>
  groupRows(rows, (row) => text(row, "finish"))
    .map((days): Line => ({
      name: lineName(days[0], titles),
      peaks: peaksOfLine(days[0], peaks) ?? [],
      readings: days.map((row) => ({
        day: text(row, "day"),
        origin: row["origin"] === "history" ? "history" : "night",
        value: readAmount(row, "price"),
        low: readAmount(row, "low"),
        high: readAmount(row, "high")
      }))
    }))
    .filter(({ readings }) => readings.some(({ value }) => value !== null))

const lineName = (row: Row | undefined, titles: SourceTitles): string => {
  const source = text(row, "source")
  return `${regions.get(source) ?? sourceTitle(titles, source)} ${text(row, "finish")}`.trim()
}

const text = (row: Row | undefined, name: string): string => String(row?.[name] ?? "")
const readAmount = (row: Row, name: string): string | null => {
  const amount = row[name] ?? null
  return amount === null ? null : String(amount)
}

const groupRows = (rows: ReadonlyArray<Row>, key: (row: Row) => string): ReadonlyArray<ReadonlyArray<Row>> => [
  ...Map.groupBy(rows, key).values()
]
