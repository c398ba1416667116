import { html, type Html } from "../html.ts"
import { type Chart, listDays, isDrawn, lastReadings, type Line, type Origin, type Reading } from "./Chart.ts"

/** The width and height of a drawing in its units; a page stretches it. */
export const extent = 1000

const dayMillis = 86_400_000
const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMillis
const numberedDay = (number: number): string => new Date(number * dayMillis).toISOString().slice(0, 10)
const rounded = (place: number): number => Math.round(place * 100) / 100

/** Computes how days and amounts become coordinates, and the labels of the axes: from the first to the last day, and from below the lowest to above the highest value. */
export const chartScale = (chart: Chart) => {
  const read = listDays(chart)
  const [first, last] = [dayNumber(chart.from ?? read[0] ?? ""), dayNumber(read.at(-1) ?? "")]
  // A single day is drawn in the middle.
  const [left, right] = first < last ? [first, last] : [last - 1, last + 1]
  const amounts = amountTicks(...amountRange(chart))
  const [bottom, top] = [Number(amounts[0]), Number(amounts.at(-1))]
  return {
    x: (day: string) => rounded((Math.max(0, dayNumber(day) - left) / (right - left)) * extent),
    y: (amount: string | number) => rounded(((top - Number(amount)) / (top - bottom)) * extent),
    days: first < last ? dayTicks(first, last) : [numberedDay(last)],
    amounts
  }
}

export type ChartScale = ReturnType<typeof chartScale>

/** Returns the range of the values. Lows and highs do not extend it, so that an outlier does not flatten the line. */
const amountRange = ({ lines }: Chart): readonly [least: number, most: number] => {
  const readings = lines.flatMap((line) => line.readings)
  const values = readings.flatMap(({ value }) => (value === null ? [] : [Number(value)]))
  const bands = readings.filter(({ high, low, value }) => value !== null && low !== null && high !== null)
  const [lows, highs] = [bands.map(({ low }) => Number(low)), bands.map(({ high }) => Number(high))]
  const smallest = (amounts: ReadonlyArray<number>, least: number) => amounts.reduce((a, b) => Math.min(a, b), least)
  const greatest = (amounts: ReadonlyArray<number>, most: number) => amounts.reduce((a, b) => Math.max(a, b), most)
  const [least, most] = [smallest(values, Number.POSITIVE_INFINITY), greatest(values, Number.NEGATIVE_INFINITY)]
  const reach = Math.max(most - least, most / 2)
  return [Math.max(smallest(lows, least), least - reach), Math.min(greatest(highs, most), most + reach)]
}

/** Returns three to six round amounts that cover a range, lowest first, with the necessary decimals. */
const amountTicks = (least: number, most: number): ReadonlyArray<string> => {
  const span = most > least ? most - least : Math.max(Math.abs(most) / 5, 0.02)
  const rough = span / 3
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(0.0001, ([1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10) * power)
  const places = Math.max(0, Math.min(4, 1 - Math.floor(Math.log10(step))))
  const lowest = Math.floor((most > least ? least : least - span / 2) / step)
  const highest = Math.max(lowest + 1, Math.ceil((most > least ? most : most + span / 2) / step))
  const from = least >= 0 ? Math.max(0, lowest) : lowest
  return Array.from({ length: highest - from + 1 }, (_, index) => ((from + index) * step).toFixed(places))
}

/** Returns the first day, the last, and evenly spaced days between them. */
const dayTicks = (first: number, last: number): ReadonlyArray<string> => [
  ...new Set([0, 1, 2, 3].map((third) => numberedDay(Math.round(first + ((last - first) * third) / 3))))
]

/** The number of line colours: `line-1` and so on. */
export const lineColours = 6
export const lineColour = (index: number): string => `line-${(index % lineColours) + 1}`

/** The lines of a chart with their axes. The drawing stretches with the page; texts and strokes do not. */
export const chartDrawing = (chart: Chart): Html => {
  const scale = chartScale(chart)
  const share = (place: number) => `${Math.round((place / extent) * 10_000) / 100}%`
  const lines = chart.lines.map((line) => drawnLine(line, scale))
  // Large amounts need the space of the decimals, so whole numbers have none.
  const isWhole = scale.amounts.every((amount) => Number.isInteger(Number(amount)))
  const marked = (amount: string) => chart.unit.shown(amount).replace(isWhole ? /\.00(?!\d)/ : /$/, "")
  const chooseAnchor = (place: number) => (place < 50 ? "start" : place > extent - 50 ? "end" : "middle")
  return html`<div class="drawing${scale.days.length === 1 && " alone"}">
    <svg class="amounts" aria-hidden="true">
      ${scale.amounts.map((amount) => html`<text x="100%" y="${share(scale.y(amount))}">${marked(amount)}</text>`)}
    </svg>
    <svg class="lines" role="img" aria-label="${describeChart(chart)}">
      ${scale.amounts.map((amount) => html`<line class="grid" x1="0" x2="100%" y1="${share(scale.y(amount))}" y2="${share(scale.y(amount))}" />`)}
      <svg viewBox="0 0 ${extent} ${extent}" preserveAspectRatio="none" width="100%" height="100%">
        ${lines.map(
          ({ band, cut, paths }, index) =>
            html`<g class="${lineColour(index)}">
              ${band !== "" && html`<path class="band" d="${band}" />`}${cut !== "" && html`<path class="cut" d="${cut}" />`}${paths.history !== "" && html`<path class="history" d="${paths.history}" />`}${paths.night !== "" && html`<path class="night" d="${paths.night}" />`}
            </g>`
        )}
      </svg>
      ${lines.map(({ points }, index) =>
        points.map(
          ({ x, y }) => html`<circle class="${lineColour(index)}" cx="${share(x)}" cy="${share(y)}" r="3.5" />`
        )
      )}
      ${drawnPeaks(chart).map(({ day, index, label, value }) => html`<circle class="peak ${lineColour(index)}" cx="${share(scale.x(day))}" cy="${share(scale.y(value))}" r="5"><title>${label}</title></circle>`)}
      ${drawnMarks(chart).map(
        ({ day, label }) =>
          html`<g class="mark"
            ><line x1="${share(scale.x(day))}" x2="${share(scale.x(day))}" y1="0" y2="100%" /><text
              x="${share(scale.x(day))}"
              y="-2"
              text-anchor="${chooseAnchor(scale.x(day))}"
              >${label}<title>${day}</title></text
            ></g
          >`
      )}
      <line class="pointer" y1="0" y2="100%" />
    </svg>
    <svg class="days" aria-hidden="true">
      ${scale.days.map((day) => html`<text x="${share(scale.x(day))}" y="1em" text-anchor="${chooseAnchor(scale.x(day))}" ${chooseAnchor(scale.x(day)) === "middle" && scale.days.length > 1 && html` class="between"`}>${day}</text>`)}
    </svg>
  </div>`
}

/** The drawn days on which something happened. */
export const drawnMarks = (chart: Chart) => (chart.marks ?? []).filter(({ day }) => isDrawn(chart, day))

/** The values of all time whose days are drawn, with the place of their line. */
export const drawnPeaks = (chart: Chart) =>
  chart.lines.flatMap(({ peaks = [] }, index) =>
    peaks.filter(({ day }) => isDrawn(chart, day)).map(({ day, label, value }) => ({ day, label, value, index }))
  )

/** The text of a chart for screen readers: its title, its days, and each line's last, lowest and highest value. */
export const describeChart = (chart: Chart): string => {
  const days = listDays(chart)
  const span = days.length === 1 ? `on ${days[0]}` : `${chart.from ?? days[0]} to ${days.at(-1)}`
  const lines = chart.lines.map((line) => describeLine(chart, line)).join("; ")
  return `${chart.title}, ${chart.unit.name}, ${span}. ${lines}`
}

const describeLine = ({ unit }: Chart, line: Line): string => {
  const { priced } = lastReadings(line)
  if (priced === null) return `${line.name}: none`
  const values = line.readings.flatMap(({ value }) => value ?? []).toSorted((a, b) => Number(a) - Number(b))
  const [least = "", most = ""] = [values[0], values.at(-1)].map((value) => unit.shown(value ?? ""))
  const range = least === most ? "" : `, lowest ${least}, highest ${most}`
  return `${line.name}: ${unit.shown(priced.value ?? "")} on ${priced.day}${range}`
}

/**
 * Returns the SVG paths of a line, by the rule of every chart: a reading is valid until the next one, so days without a reading form a step; a reading
 * without a price is a gap; a reading between two gaps is a point, and so is the last one.
 */
export const drawnLine = ({ readings }: Line, { x, y }: ChartScale) => {
  const within = (amount: string) => Math.min(extent, Math.max(0, y(amount)))
  const paths: Record<Origin, string> = { night: "", history: "" }
  const points: Array<{ x: number; y: number }> = []
  let band = ""
  /** The edge of the drawing where the band goes beyond the scale. */
  let cut = ""
  for (const [at, { day, high, low, origin, value }] of readings.entries()) {
    const next = readings[at + 1]
    if (value === null) continue
    const [left, level] = [x(day), y(value)]
    const isJoined = hasValue(readings[at - 1]) || hasValue(next)
    if (!isJoined || next === undefined) points.push({ x: left, y: level })
    if (next === undefined) continue
    const right = x(next.day)
    const rise = next.value === null ? "" : `V${y(next.value)}`
    paths[origin] += `M${left} ${level}H${right}${rise}`
    if (low === null || high === null) continue
    band += `M${left} ${within(low)}H${right}V${within(high)}H${left}Z`
    if (y(high) < 0) cut += `M${left} 0H${right}`
    if (y(low) > extent) cut += `M${left} ${extent}H${right}`
  }
  return { paths, band, cut, points }
}

const hasValue = (reading: Reading | undefined): boolean => reading !== undefined && reading.value !== null
