/** A column of a result, with DuckDB's type name. */
export interface ResultColumn {
  readonly name: string
  readonly type: string
}

/** Indexes of the columns that a chart shows. */
export interface ChartColumns {
  readonly day: number
  readonly values: ReadonlyArray<number>
  /** The column whose values name the lines; null = the chart has one line per number. */
  readonly series: number | null
  readonly currency: number | null
}

const isDay = ({ type }: ResultColumn): boolean => /^(DATE|TIMESTAMP)/.test(type)
const isId = ({ name }: ResultColumn): boolean => /(^|_)id$/i.test(name)
const isNumber = ({ type }: ResultColumn): boolean =>
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL)\b/.test(type)
const isText = ({ type }: ResultColumn): boolean => /^(VARCHAR|ENUM|BOOLEAN)\b/.test(type)

/**
 * Returns the columns of a chart: one day, numbers, at most one text or id that names lines, and `currency`.
 * Null if the result cannot be drawn.
 */
export const chartColumns = (columns: ReadonlyArray<ResultColumn>): ChartColumns | null => {
  const findPlaces = (is: (column: ResultColumn) => boolean) =>
    columns.flatMap((column, place) => (is(column) ? [place] : []))
  const [day, ...otherDays] = findPlaces(isDay)
  const values = findPlaces((column) => isNumber(column) && !isId(column))
  const currency = findPlaces((column) => isText(column) && column.name.toLowerCase() === "currency")[0] ?? null
  const names = findPlaces((column) => isText(column) || (isNumber(column) && isId(column))).filter(
    (place) => place !== currency
  )
  if (day === undefined || otherDays.length > 0 || values.length === 0 || names.length > 1) return null
  const counted = 1 + values.length + names.length + (currency === null ? 0 : 1)
  return counted === columns.length ? { day, values, series: names[0] ?? null, currency } : null
}
