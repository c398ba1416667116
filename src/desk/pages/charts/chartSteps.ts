import type { Line, Origin, Reading } from "./Chart.ts"
import { type ChartScale, extent } from "./chartScale.ts"

/** What is drawn of a line, as paths of SVG. */
export interface DrawnLine {
  readonly paths: Readonly<Record<Origin, string>>
  readonly band: string
  /** Readings that stand alone, and the last one. */
  readonly points: ReadonlyArray<{ readonly x: number; readonly y: number }>
}

/**
 * The one rule of every chart: a reading holds until the next one, so days without a reading are a step; a reading
 * without a price is a gap; a reading between two such is a point, and so is the last one, which nothing follows.
 */
export const drawnLine = ({ readings }: Line, { x, y }: ChartScale): DrawnLine => {
  const within = (amount: string) => Math.min(extent, Math.max(0, y(amount)))
  const paths = { night: "", history: "" }
  const points: Array<{ x: number; y: number }> = []
  let band = ""
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
    if (low !== null && high !== null) band += `M${left} ${within(low)}H${right}V${within(high)}H${left}Z`
  }
  return { paths, band, points }
}

const hasValue = (reading: Reading | undefined): boolean => reading !== undefined && reading.value !== null
