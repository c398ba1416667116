import { html, type Html } from "../html.ts"
import type { Chart } from "./Chart.ts"
import { chartScale, extent } from "./chartScale.ts"
import { drawnLine } from "./chartSteps.ts"
import { spokenChart } from "./spokenChart.ts"

/** Colours that lines have, `line-1` and so on. */
export const lineColours = 6
export const colourOf = (index: number): string => `line-${(index % lineColours) + 1}`

/** The lines of a chart with their scales. It stretches with the page; texts and strokes do not. */
export const chartDrawing = (chart: Chart): Html => {
  const scale = chartScale(chart)
  const share = (place: number) => `${Math.round((place / extent) * 10_000) / 100}%`
  const lines = chart.lines.map((line) => drawnLine(line, scale))
  // Cents of round amounts take room that large ones have not.
  const isWhole = scale.amounts.every((amount) => Number.isInteger(Number(amount)))
  const marked = (amount: string) => chart.unit.shown(amount).replace(isWhole ? /\.00(?!\d)/ : /$/, "")
  const anchorOf = (place: number) => (place < 50 ? "start" : place > extent - 50 ? "end" : "middle")
  return html`<div class="drawing${scale.days.length === 1 && " alone"}">
    <svg class="amounts" aria-hidden="true">
      ${scale.amounts.map((amount) => html`<text x="100%" y="${share(scale.y(amount))}">${marked(amount)}</text>`)}
    </svg>
    <svg class="lines" role="img" aria-label="${spokenChart(chart)}">
      ${scale.amounts.map((amount) => html`<line class="grid" x1="0" x2="100%" y1="${share(scale.y(amount))}" y2="${share(scale.y(amount))}" />`)}
      <svg viewBox="0 0 ${extent} ${extent}" preserveAspectRatio="none" width="100%" height="100%">
        ${lines.map(
          ({ band, paths }, index) =>
            html`<g class="${colourOf(index)}">
              ${band !== "" && html`<path class="band" d="${band}" />`}${paths.history !== "" && html`<path class="history" d="${paths.history}" />`}${paths.night !== "" && html`<path class="night" d="${paths.night}" />`}
            </g>`
        )}
      </svg>
      ${lines.map(({ points }, index) =>
        points.map(({ x, y }) => html`<circle class="${colourOf(index)}" cx="${share(x)}" cy="${share(y)}" r="3.5" />`)
      )}
      <line class="pointer" y1="0" y2="100%" />
    </svg>
    <svg class="days" aria-hidden="true">
      ${scale.days.map((day) => html`<text x="${share(scale.x(day))}" y="1em" text-anchor="${anchorOf(scale.x(day))}" ${anchorOf(scale.x(day)) === "middle" && scale.days.length > 1 && html` class="between"`}>${day}</text>`)}
    </svg>
  </div>`
}
