import uPlot from "./uplot.js"

const height = 230
const lineStyles = 6

/** Days between ticks, in seconds. */
const daySteps = [1, 2, 7, 14, 28, 91, 182, 365].map((days) => days * 86_400)
const dayText = (seconds) =>
  new Date(seconds * 1000).toLocaleDateString("en-US", { timeZone: "UTC", day: "numeric", month: "short" })

/** Draws every chart of the page from the table that stands in it, and again when its width or the colours change. */
export const drawCharts = () => {
  for (const figure of document.querySelectorAll("[data-chart]")) {
    const data = seriesOf(figure.querySelector("table"))
    const place = figure.querySelector(".drawing")
    let plot = draw(place, data)
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      plot.destroy()
      plot = draw(place, data)
    })
    new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height })).observe(place)
  }
}

/** The table has its newest day first; a chart begins with the oldest. Days are seconds of UTC. */
const seriesOf = (table) => {
  // A table that says where its days come from does so in its second column.
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent)
  const first = heads[1] === "origin" ? 2 : 1
  const names = heads.slice(first)
  const rows = [...table.tBodies[0].rows].toReversed()
  const days = rows.map((row) => Date.parse(`${row.cells[0].textContent}T00:00:00Z`) / 1000)
  const isPast = rows.map((row) => first === 2 && row.cells[1].textContent === "history")
  const lines = names.flatMap((name, index) => {
    const prices = rows.map((row) => priceOf(row.cells[index + first]))
    return linesOf({ name, number: index, prices }, isPast)
  })
  return { lines, isPast, currency: table.dataset.currency, columns: [days, ...lines.map(({ prices }) => prices)] }
}

/** What we read, and what the service's own history says: a line apart, which reaches to the readings beside it. */
const linesOf = ({ name, number, prices }, isPast) => {
  const beside = (at) => isPast[at] || isPast[at - 1] || isPast[at + 1]
  const past = {
    number,
    name: `${name}, service’s history`,
    isPast: true,
    prices: prices.map((one, at) => (beside(at) ? one : null))
  }
  const own = { number, name, isPast: false, prices: prices.map((one, at) => (isPast[at] ? null : one)) }
  return prices.some((price, at) => isPast[at] && price !== null) ? [own, past] : [own]
}

const priceOf = (cell) => (cell.dataset.price === undefined ? null : Number(cell.dataset.price))

const draw = (place, { columns, currency, isPast, lines }) => {
  const colours = getComputedStyle(document.documentElement)
  const colour = (name) => colours.getPropertyValue(name).trim()
  const axis = {
    stroke: colour("--soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 }
  }
  const signed = (value) =>
    value === null || value === undefined ? "–" : value.toLocaleString("en-US", { style: "currency", currency })
  const few = columns[0].length < 60
  return new uPlot(
    {
      width: place.clientWidth,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: { y: false },
      axes: [
        { ...axis, incrs: daySteps, values: (_, ticks) => ticks.map(dayText) },
        { ...axis, size: 68, values: (_, ticks) => ticks.map((tick) => tick.toLocaleString("en-US")) }
      ],
      series: [
        { label: "Day", value: "{YYYY}-{MM}-{DD}" },
        ...lines.map((line) => ({
          label: line.name,
          stroke: strokeOf(place, (line.number % lineStyles) + 1),
          dash: line.isPast ? [2, 3] : line.number < lineStyles ? [] : [6, 4],
          width: line.isPast ? 1.5 : 2,
          points: {
            show: true,
            size: line.isPast ? 3 : 5,
            filter: (plot, place) => (few ? null : alone(plot.data[place]))
          },
          value: (...[, value, , at]) => signed(at !== null && isPast[at] === line.isPast ? value : null)
        }))
      ]
    },
    columns,
    place
  )
}

/** Places of prices with a gap on either side: no line goes through them. */
const alone = (prices) =>
  prices.flatMap((price, at) =>
    price !== null && (prices[at - 1] ?? null) === null && (prices[at + 1] ?? null) === null ? [at] : []
  )

/** The colour of a line, as the style sheet has it for the present scheme. */
const strokeOf = (place, number) => {
  const probe = document.createElement("span")
  probe.className = `line-${number}`
  place.append(probe)
  const stroke = getComputedStyle(probe).getPropertyValue("--stroke").trim()
  probe.remove()
  return stroke
}
