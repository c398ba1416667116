import { counted, price } from "./figures.ts"
import { html, type Html } from "../pages/html.ts"
import { type SourceTitles, titleOf } from "../contract/sourceTitles.ts"
import type { Row } from "./LakeReader.ts"

/** A line of a chart: its name and its exact price by day. */
interface Line {
  readonly name: string
  readonly prices: ReadonlyMap<string, string>
}

/** Prices of one kind in one currency: a chart. */
interface Chart {
  readonly title: string
  readonly currency: string
  readonly days: ReadonlyArray<string>
  /** Days that the service's own history has, and no reading of ours. */
  readonly past: ReadonlySet<string>
  readonly lines: ReadonlyArray<Line>
}

/** Names of regions, as the legend shows them. */
const regions = new Map([
  ["eu", "EU"],
  ["na", "NA"]
])

/** What a chart is called that a query calls `sources` or `marketplace`. */
const titleOfChart = (titles: SourceTitles, chart: string): string => {
  if (chart === "marketplace") return `${titleOf(titles, chart)}, lowest listing`
  return chart === "sources" ? "Price sources" : chart
}

/**
 * Series rows (chart, source, finish, day, currency, price, origin), ordered by day, as tables from which the browser draws
 * charts. A reading without a price is a gap; between readings, however far apart, the line is straight.
 */
export const priceCharts = (rows: ReadonlyArray<Row>, titles: SourceTitles): Html =>
  html`<div class="charts">${chartsOf(rows, titles).map(figure)}</div>`

const chartsOf = (rows: ReadonlyArray<Row>, titles: SourceTitles): ReadonlyArray<Chart> =>
  [...Map.groupBy(rows, (row) => `${String(row["chart"])}\n${String(row["currency"])}`).values()]
    .map((group) => {
      const lines = [
        ...Map.groupBy(group, (row) =>
          `${regions.get(String(row["source"])) ?? titleOf(titles, String(row["source"]))} ${String(row["finish"] ?? "")}`.trim()
        )
      ]
        .map(([name, days]): Line => ({
          name,
          prices: new Map(
            days.flatMap((row) => (row["price"] === null ? [] : [[String(row["day"]), String(row["price"])] as const]))
          )
        }))
        .filter(({ prices }) => prices.size > 0)
      return {
        title: titleOfChart(titles, String(group[0]?.["chart"])),
        currency: String(group[0]?.["currency"]),
        days: [...new Set(group.map((row) => String(row["day"])))].toSorted(),
        past: new Set(group.flatMap((row) => (row["origin"] === "history" ? [String(row["day"])] : []))),
        lines
      }
    })
    .filter(({ lines }) => lines.length > 0)

const figure = ({ currency, days, lines, past, title }: Chart): Html =>
  html`<figure class="chart" ${days.length > 1 && html` data-chart`}>
    <figcaption>
      <b>${title}</b>
      <span
        >${currency}${days.length === 1 && ", one day so far: the line begins with the second"}${past.size > 0 && `, ${counted(past.size)} of ${counted(days.length)} days from the service’s own history, not read by us`}</span
      >
    </figcaption>
    <div class="drawing" aria-hidden="true"></div>
    <details>
      <summary>The same as a table</summary>
      <div class="scroll" role="region" tabindex="0" aria-label="${title}, ${currency}">
        <table data-currency="${currency}">
          <caption>
            <span>${title}, ${currency}</span>
          </caption>
          <thead>
            <tr>
              <th scope="col">day</th>
              ${past.size > 0 && html`<th scope="col">origin</th>`}
              ${lines.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${days.toReversed().map(
              (day) =>
                html`<tr>
                  <th scope="row">${day}</th>
                  ${past.size > 0 && html`<td>${past.has(day) ? "history" : "night"}</td>`}
                  ${lines.map(({ prices }) => {
                    const exact = prices.get(day)
                    return html`<td class="figure" ${exact !== undefined && html` data-price="${exact}"`}>
                      ${price(exact, currency)}
                    </td>`
                  })}
                </tr> `
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`
