/** A page of `rows`, of which one more than `limit` was read; `next` is what its last row says, null: it is the end. */
export const cursorPage = <Row, Place>(rows: ReadonlyArray<Row>, limit: number, placeOf: (last: Row) => Place) => {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, next: last === undefined ? null : placeOf(last) }
}
