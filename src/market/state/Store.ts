import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"

/** Values of a statement's `:name` places. */
export type Values = Readonly<Record<string, SQLInputValue>>

/** Statements over the state. A row has the columns that the statement selects; the caller says which. */
export interface Store {
  readonly one: <Row extends object>(sql: string, values?: Values) => Row | undefined
  readonly all: <Row extends object>(sql: string, values?: Values) => ReadonlyArray<Row>
  /** Rows one by one, for large results. Nothing may be written before it ends. */
  readonly each: <Row extends object>(sql: string, values?: Values) => Iterable<Row>
  /** Rows that were inserted, updated or deleted. */
  readonly run: (sql: string, values?: Values) => number
}

/** Each statement is prepared once. */
export const makeStore = (database: DatabaseSync): Store => {
  const prepared = new Map<string, StatementSync>()
  const statementOf = (sql: string) => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      prepared.set(sql, statement)
    }
    return statement
  }
  return {
    one: <Row extends object>(sql: string, values: Values = {}) => statementOf(sql).get(values) as Row | undefined,
    all: <Row extends object>(sql: string, values: Values = {}) => statementOf(sql).all(values) as Array<Row>,
    // Prepared for itself: the same statement may be read twice at a time.
    each: <Row extends object>(sql: string, values: Values = {}) =>
      database.prepare(sql).iterate(values) as unknown as Iterable<Row>,
    run: (sql, values = {}) => Number(statementOf(sql).run(values).changes)
  }
}
