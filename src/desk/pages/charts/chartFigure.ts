import { html, type Html, tableBox } from "../html.ts"
import { type Chart, listDays, lastReadings, type Line, type Reading } from "./Chart.ts"
import { chartDrawing, chartScale, lineColour, drawnLine, drawnMarks, drawnPeaks } from "./chartDrawing.ts"

/** A chart with its title, its legend with the last values, and a table of all values; a script collapses the table. */
export const chartFigure = (chart: Chart): Html => {
  const past = pastDays(chart)
  const days = listDays(chart)
  const says = past.size === 0 ? "" : `, ${past.size} of ${days.length} days from the marketplace’s own history`
  return html`<figure class="chart" data-chart>
    <figcaption>
      <b>${chart.title}</b>
      <span
        >${chart.unit.name}${days.length === 1 && `, only read on ${days[0]}`}${says}<span class="pointed"></span
      ></span>
    </figcaption>
    ${chartDrawing(chart)}
    <ul class="legend">
      ${chart.lines.map(
        (line, index) =>
          html`<li class="${lineColour(index)}">
            <i></i>${line.name} <b>${lastValue(chart, line)}</b>${lastDay(line)}
          </li>`
      )}
      ${legendKeys(chart).map((says) => html`<li class="key">${says}</li>`)}
    </ul>
    ${valueTable(chart, past)}
  </figure>`
}

const lastValue = ({ unit }: Chart, line: Line): string => {
  const { priced } = lastReadings(line)
  return priced?.value === null || priced === null ? "none" : unit.shown(priced.value)
}

/** Explains what a chart has beside its lines: the band, where it is cut off, and the marks. */
const legendKeys = (chart: Chart): ReadonlyArray<string> => {
  const scale = chartScale(chart)
  const drawn = chart.lines.map((line) => drawnLine(line, scale))
  const cut = chart.lines.filter((_, index) => drawn[index]?.cut !== "").flatMap(({ readings }) => readings)
  const ends = cut.flatMap(({ high, low }) => (low === null || high === null ? [] : [Number(low), Number(high)]))
  const reach = [Math.min(...ends), Math.max(...ends)].map((end) => chart.unit.shown(String(end))).join(" to ")
  return [
    ...(drawn.some(({ band }) => band !== "") ? ["shaded: low to high of the source"] : []),
    ...(ends.length > 0 ? [`dashed edge: low to high goes beyond this scale, ${reach} in all`] : []),
    ...(drawnPeaks(chart).length > 0 ? ["ring: highest and lowest read of all time"] : []),
    ...drawnMarks(chart).map(({ day, label }) => `${label} on ${day}`)
  ]
}

/** The day of the last value, if later readings had none. */
const lastDay = (line: Line): Html | false => {
  const { priced, without } = lastReadings(line)
  return without !== null && priced !== null && html` <small>on ${priced.day}, none since ${without.day}</small>`
}

/** Returns the days that are only in the service's history. */
const pastDays = ({ lines }: Chart): ReadonlySet<string> =>
  new Set(lines.flatMap(({ readings }) => readings.filter(({ origin }) => origin === "history").map(({ day }) => day)))

const valueTable = (chart: Chart, past: ReadonlySet<string>): Html => {
  const { lines, title, unit } = chart
  const { x } = chartScale(chart)
  const named = lines.map(({ readings }) => new Map(readings.map((reading) => [reading.day, reading])))
  return html`<details class="values" open>
    <summary>Show as a table</summary>
    ${tableBox({
      caption: `${title}, ${unit.name}. – = read without a price`,
      heads: [
        html`<th scope="col">day</th>`,
        past.size > 0 && html`<th scope="col">origin</th>`,
        lines.map(({ name }) => html`<th scope="col" class="figure">${name}</th>`)
      ],
      rows: listDays(chart)
        .toReversed()
        .map((day) => [
          html`<th scope="row" data-x="${x(day)}">${day}</th>`,
          past.size > 0 && html`<td>${past.has(day) ? "history" : "night"}</td>`,
          named.map((readings) => valueCell(chart, readings.get(day)))
        ])
    })}
  </details>`
}

const valueCell = ({ unit }: Chart, reading: Reading | undefined): Html => {
  if (reading === undefined) return html`<td class="figure"></td>`
  const { high, low, value } = reading
  if (value === null) return html`<td class="figure">–</td>`
  const range = low !== null && high !== null && html` <small>${unit.shown(low)} to ${unit.shown(high)}</small>`
  return html`<td class="figure"><b>${unit.shown(value)}</b>${range}</td>`
}
