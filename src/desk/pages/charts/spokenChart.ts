import { type Chart, daysOf, lastOf, type Line } from "./Chart.ts"

/** What somebody hears who cannot see a chart: what it shows, of when, and each line's last, lowest and highest value. */
export const spokenChart = (chart: Chart): string => {
  const days = daysOf(chart)
  const span = days.length === 1 ? `on ${days[0]}` : `${chart.from ?? days[0]} to ${days.at(-1)}`
  const lines = chart.lines.map((line) => spokenLine(chart, line)).join("; ")
  return `${chart.title}, ${chart.unit.name}, ${span}. ${lines}`
}

const spokenLine = ({ unit }: Chart, line: Line): string => {
  const { priced } = lastOf(line)
  if (priced === null) return `${line.name}: none`
  const values = line.readings.flatMap(({ value }) => value ?? []).toSorted((a, b) => Number(a) - Number(b))
  const [least = "", most = ""] = [values[0], values.at(-1)].map((value) => unit.shown(value ?? ""))
  const range = least === most ? "" : `, lowest ${least}, highest ${most}`
  return `${line.name}: ${unit.shown(priced.value ?? "")} on ${priced.day}${range}`
}
