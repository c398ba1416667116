/**
 * Returns a page of `rows`, which holds up to one row more than `limit`. `next` is the place of the last row shown;
 * null at the end.
 */
export const cursorPage = <Row, Place>(rows: ReadonlyArray<Row>, limit: number, placeOf: (last: Row) => Place) => {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, next: last === undefined ? null : placeOf(last) }
}
