import { formatAmount, grouped } from "../../store/diff/formatAmount.ts"
import { html, type Html, ownMarkup } from "../pages/html.ts"
import { noteSections } from "./noteSections.ts"
import type { Difference } from "./readReleaseNotes.ts"

/** Four tiles with the counts of changed products and expansions. */
export const changeTiles = ({ changes: { expansions, products } }: Difference): Html => {
  const tile = (tone: string, label: string, count: number, also: number | null) =>
    html`<li class="${tone}">
      <span>${label}</span><b>${grouped(count)}</b
      ><small>${also === null ? "any price field" : formatAmount(also, "expansion")}</small>
    </li>`
  return html`<ul class="tiles">
    ${tile("added", "Products added", products.added, expansions.added)}
    ${tile("removed", "Products removed", products.removed, expansions.removed)}
    ${tile("edited", "Products edited", products.modifiedCatalogue, expansions.modifiedCatalogue)}
    ${tile("moves", "Products repriced", products.modifiedPrice, null)}
  </ul>`
}

/** Charts of the kinds of change and of the moves of market value. */
export const differenceCharts = (found: Difference): Html => {
  const moved = found.moveSizes.reduce((sum, { moves }) => sum + moves, 0)
  const { minMove, minPrice } = found.bounds
  const figure = (title: string, says: string, drawing: Html) =>
    html`<figure>
      <figcaption><b>${title}</b> <span>${says}</span></figcaption>
      ${drawing}
    </figure>`
  const says = `${formatAmount(moved, "price")} of ${minPrice} or more, by percent; highlighted from ${minMove}\u00a0%`
  return html`<div class="charts">
    ${figure("Changes by kind", "products and expansions", ownMarkup(kindsChart(found)))}
    ${
      moved === 0
        ? figure("Moves of market value", "", html`<p class="says">No market value of ${minPrice} or more changed.</p>`)
        : figure("Moves of market value", says, ownMarkup(movesChart(found)))
    }
  </div>`
}

/** The width of the charts in SVG units; a page scales them. */
const width = 360

/** The sections in the chart: those that list changes. */
const kinds = Object.entries(noteSections).filter(([name]) => name !== "unexplained" && name !== "contradictions")

/** A bar chart in SVG of the number of items per section, without empty sections. */
const kindsChart = ({ sections }: Difference): string => {
  const counts = new Map(sections.map((counted) => [counted.section as string, counted.products + counted.expansions]))
  const counted = kinds.flatMap(([name, { title }]) => {
    const count = counts.get(name) ?? 0
    return count === 0 ? [] : [{ name, title, count }]
  })
  const most = Math.max(1, ...counted.map(({ count }) => count))
  const labels = 108
  const row = 21
  const bars = counted.map(({ count, name, title }, index) => {
    const length = Math.max(2, (count / most) * (width - labels - 52))
    const middle = index * row + row / 2
    return [
      `<g class="${name}">`,
      `<text x="${labels - 8}" y="${middle + 4}" text-anchor="end">${title}</text>`,
      `<rect x="${labels}" y="${middle - 6}" width="${length.toFixed(1)}" height="12" rx="2"/>`,
      `<text class="count" x="${(labels + length + 6).toFixed(1)}" y="${middle + 4}">${grouped(count)}</text>`,
      `</g>`
    ].join("")
  })
  const says = counted.map(({ count, title }) => `${title} ${grouped(count)}`)
  return drawing(Math.max(1, counted.length) * row, describeBars("Number of changes by kind", says), [
    ...bars,
    `<path class="axis" d="M${labels} 0V${counted.length * row}"/>`
  ])
}

/** A histogram in SVG of the moves of market value by size; sizes above the bound are highlighted. */
const movesChart = ({ bounds, moveSizes }: Difference): string => {
  const top = 18
  const height = 170
  const slot = width / moveSizes.length
  const most = Math.max(1, ...moveSizes.map(({ moves }) => moves))
  const bars = moveSizes.map(({ moves, over, upTo }, index) => {
    const tall = moves === 0 ? 0 : Math.max(1.5, (moves / most) * height)
    const least = over < 0 ? -(upTo ?? 0) : over
    return [
      `<g class="${over < 0 ? "fall" : "rise"}${least >= bounds.minMove ? "" : " small"}">`,
      `<title>${range(over, upTo)}: ${grouped(moves)}</title>`,
      `<rect x="${(index * slot + 2).toFixed(1)}" y="${(top + height - tall).toFixed(1)}" width="${(slot - 4).toFixed(1)}" height="${tall.toFixed(1)}" rx="2"/>`,
      `<text class="count" x="${((index + 0.5) * slot).toFixed(1)}" y="${(top + height - tall - 5).toFixed(1)}" text-anchor="middle">${moves === 0 ? "" : short(moves)}</text>`,
      `</g>`
    ].join("")
  })
  // The first and the last bar are open-ended.
  const edges = moveSizes.slice(1).map(({ over }, index) => {
    const x = ((index + 1) * slot).toFixed(1)
    return `<text class="edge" x="${x}" y="${top + height + 16}" text-anchor="middle">${signed(over)}</text>`
  })
  const counted = moveSizes.flatMap(({ moves, over, upTo }) =>
    moves === 0 ? [] : [`${range(over, upTo)} ${grouped(moves)}`]
  )
  return drawing(top + height + 22, describeBars("Moves of market value in percent", counted), [
    ...bars,
    `<path class="axis" d="M0 ${top + height}H${width}"/>`,
    ...edges
  ])
}

/** The text of a chart for screen readers. */
const describeBars = (title: string, counted: ReadonlyArray<string>): string =>
  `${title}: ${counted.length === 0 ? "none" : counted.join("; ")}`

const drawing = (height: number, title: string, parts: ReadonlyArray<string>): string =>
  `<svg class="bars" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${parts.join("")}</svg>`

const signed = (percent: number): string => (percent === 0 ? "0" : percent < 0 ? `−${-percent}` : `+${percent}`)

const range = (over: number, upTo: number | null): string =>
  upTo === null ? `${signed(over)} % and more` : `${signed(over)} to ${signed(upTo)} %`

/** Abbreviates a count to fit over a narrow bar: 6456 becomes 6.5k, 31984 becomes 32k. */
const short = (count: number): string => {
  if (count < 1000) return grouped(count)
  const [figure, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"]
  return `${figure.toFixed(figure < 9.95 ? 1 : 0)}${unit}`
}
