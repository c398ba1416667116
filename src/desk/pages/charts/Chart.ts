/** The origin of a day's value: our reading, or the service's history for a day without a reading. */
export type Origin = "night" | "history"

/** A value read on a day; null = there was no price. Amounts are exact texts. */
export interface Reading {
  readonly day: string
  readonly origin: Origin
  readonly value: string | null
  readonly low: string | null
  readonly high: string | null
}

/** A line of a chart: at most one reading per day, oldest first. */
export interface Line {
  readonly name: string
  readonly readings: ReadonlyArray<Reading>
  /** Values of all time on their days, such as the highest; absent: none is marked. */
  readonly peaks?: ReadonlyArray<{ readonly day: string; readonly value: string; readonly label: string }>
}

/** The unit of a chart's values. */
export interface Unit {
  /** A currency such as EUR, or the base of an index of 100. */
  readonly name: string
  readonly shown: (amount: string) => string
}

/** Lines in one unit, over the days that all of them were read on. */
export interface Chart {
  readonly title: string
  readonly unit: Unit
  readonly lines: ReadonlyArray<Line>
  /** The first drawn day; an earlier reading gives its value on that day. Null = the day of the first reading. */
  readonly from: string | null
  /** Days on which something happened, such as the release; absent: none. */
  readonly marks?: ReadonlyArray<{ readonly day: string; readonly label: string }>
}

/** Returns all days with readings, oldest first. */
export const listDays = ({ lines }: Pick<Chart, "lines">): ReadonlyArray<string> =>
  [...new Set(lines.flatMap(({ readings }) => readings.map(({ day }) => day)))].toSorted()

/** Returns whether a day is drawn: not before the first drawn day, not after the last reading. */
export const isDrawn = (chart: Chart, day: string): boolean => {
  const days = listDays(chart)
  return day >= (chart.from ?? days[0] ?? "") && day <= (days.at(-1) ?? "")
}

/** Returns a line's last reading with a value, and the first later one without; null if there is none. */
export const lastReadings = ({
  readings
}: Line): { readonly priced: Reading | null; readonly without: Reading | null } => {
  const at = readings.findLastIndex(({ value }) => value !== null)
  return { priced: readings[at] ?? null, without: readings[at + 1] ?? null }
}
