import { type Chart, daysOf } from "./Chart.ts"

/** Drawings are this many units wide and high; a page stretches them. */
export const extent = 1000

/** Where days and amounts are in a drawing, and which of them its axes name. */
export interface ChartScale {
  readonly x: (day: string) => number
  readonly y: (amount: string | number) => number
  readonly days: ReadonlyArray<string>
  readonly amounts: ReadonlyArray<string>
}

const dayMillis = 86_400_000
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMillis
const dayOf = (number: number): string => new Date(number * dayMillis).toISOString().slice(0, 10)
const rounded = (place: number): number => Math.round(place * 100) / 100

/** The scale of a chart: its first to its last day, and from below its lowest to above its highest value. */
export const chartScale = (chart: Chart): ChartScale => {
  const read = daysOf(chart)
  const [first, last] = [numberOf(chart.from ?? read[0] ?? ""), numberOf(read.at(-1) ?? "")]
  // A single day is in the middle.
  const [left, right] = first < last ? [first, last] : [last - 1, last + 1]
  const amounts = amountTicks(...amountRange(chart))
  const [bottom, top] = [Number(amounts[0]), Number(amounts.at(-1))]
  return {
    x: (day) => rounded((Math.max(0, numberOf(day) - left) / (right - left)) * extent),
    y: (amount) => rounded(((top - Number(amount)) / (top - bottom)) * extent),
    days: first < last ? dayTicks(first, last) : [dayOf(last)],
    amounts
  }
}

/** Values decide; lows and highs count as far as the values reach, so that an odd one does not flatten the line. */
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

/** Three to six round amounts around a range, lowest first, each with the places that their distance needs. */
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

/** The first day, the last, and days evenly between them. */
const dayTicks = (first: number, last: number): ReadonlyArray<string> => [
  ...new Set([0, 1, 2, 3].map((third) => dayOf(Math.round(first + ((last - first) * third) / 3))))
]
