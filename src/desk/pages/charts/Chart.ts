/** What a day of a line rests on: a reading of ours, or the service's own history of a day that we did not read. */
export type Origin = "night" | "history"

/** A day on which something was read; `value` null = there was no price. Amounts are exact texts. */
export interface Reading {
  readonly day: string
  readonly origin: Origin
  readonly value: string | null
  readonly low: string | null
  readonly high: string | null
}

/** A line of a chart: its readings, oldest first, one a day. */
export interface Line {
  readonly name: string
  readonly readings: ReadonlyArray<Reading>
}

/** What the values of a chart are counted in. */
export interface Unit {
  /** Such as EUR, or what the index is 100 of. */
  readonly name: string
  readonly shown: (amount: string) => string
}

/** Lines in one unit, over the days that all of them were read on. */
export interface Chart {
  readonly title: string
  readonly unit: Unit
  readonly lines: ReadonlyArray<Line>
  /** The first day that is drawn; a reading before it says what held on that day. Null = that of the first reading. */
  readonly from: string | null
}

/** Every day of a chart that was read, oldest first. */
export const daysOf = ({ lines }: Pick<Chart, "lines">): ReadonlyArray<string> =>
  [...new Set(lines.flatMap(({ readings }) => readings.map(({ day }) => day)))].toSorted()

/** The last reading of a line with a value, and the first one after it, which had none; each null if there is none. */
export const lastOf = ({ readings }: Line): { readonly priced: Reading | null; readonly without: Reading | null } => {
  const at = readings.findLastIndex(({ value }) => value !== null)
  return { priced: readings[at] ?? null, without: readings[at + 1] ?? null }
}
