import { Context, Effect, Layer, Record, Result, Cause, Clock } from "effect"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { makeMarketClock, MarketClock, textOfMillis } from "./MarketClock.ts"
import { writeFault } from "../answers/refusals.ts"
import { openDatabase } from "./openDatabase.ts"
import type { MarketCurrency, Money } from "../contract/Money.ts"

/** Values of a statement's `:name` parameters. */
export type Values = Readonly<Record<string, SQLInputValue>>

/** Executes statements on the state. The caller states the type of rows, which have the selected columns. */
export interface Store {
  readonly one: <Row extends object>(sql: string, values?: Values) => Row | undefined
  readonly all: <Row extends object>(sql: string, values?: Values) => ReadonlyArray<Row>
  /** Iterates over rows, for large results. No write is allowed before it ends. */
  readonly each: <Row extends object>(sql: string, values?: Values) => Iterable<Row>
  /** Returns the number of inserted, updated or deleted rows. */
  readonly run: (sql: string, values?: Values) => number
}

/** Creates a store that prepares each statement once. */
const makeStore = (database: DatabaseSync): Store => {
  const prepared = new Map<string, StatementSync>()
  const prepareOnce = (sql: string) => {
    let statement = prepared.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      prepared.set(sql, statement)
    }
    return statement
  }
  return {
    one: <Row extends object>(sql: string, values: Values = {}) => prepareOnce(sql).get(values) as Row | undefined,
    all: <Row extends object>(sql: string, values: Values = {}) => prepareOnce(sql).all(values) as Array<Row>,
    // Prepared separately, because the same statement may be iterated twice concurrently.
    each: <Row extends object>(sql: string, values: Values = {}) =>
      database.prepare(sql).iterate(values) as unknown as Iterable<Row>,
    run: (sql, values = {}) => Number(prepareOnce(sql).run(values).changes)
  }
}

/** An atomic write in progress. */
export interface Transaction extends Store {
  /** The instant of the complete write, as text and in milliseconds. */
  readonly at: string
  readonly atMillis: number
  /** Returns a new opaque id: 24 hexadecimal digits, greater than every earlier id. */
  readonly newId: () => string
}

/** The marketplace's data without the catalogue: accounts, stock, orders, jobs, events. */
export class State extends Context.Service<
  State,
  {
    /** Reads committed data. */
    readonly store: Store
    /** Runs one transaction. Any failure or defect rolls it back. */
    readonly write: <A, E = never>(change: (tx: Transaction) => Result.Result<A, E>) => Effect.Effect<A, E>
    /** Calls `listener` after every commit. */
    readonly onWritten: (listener: () => void) => void
    /** Defines an SQL function of one integer, for triggers that report changes. */
    readonly addFunction: (name: string, call: (value: number) => void) => void
    /** Executes statements with effect until the sandbox stops, such as temporary triggers. */
    readonly prepare: (statements: string) => void
  }
>()("cardlake/sandbox/State") {}

/** Runs one transaction in the effect's state. */
export const write = <A, E = never>(change: (tx: Transaction) => Result.Result<A, E>) =>
  Effect.flatMap(State, (state) => state.write(change))

/** Runs one transaction that cannot be refused, and returns its result. */
export const commit = <A>(change: (tx: Transaction) => A) => write((tx) => Result.succeed(change(tx)))

const formatId = (number: number): string => number.toString(16).padStart(24, "0")

interface StateParts {
  readonly database: DatabaseSync
  readonly store: Store
  readonly clock: MarketClock["Service"]
  /** The folder that a full disk is reported for. */
  readonly folder: string
}

const makeState = ({ clock, database, folder, store }: StateParts) => {
  let last = store.one<{ last: number }>("select last from sequence")?.last ?? 0
  let kept = last
  const listeners: Array<() => void> = []
  const begin = (): Transaction => {
    const atMillis = clock.now()
    return { ...store, at: textOfMillis(atMillis), atMillis, newId: () => formatId(++last) }
  }
  const commit = () => {
    if (last !== kept) store.run("update sequence set last = :last", { last })
    database.exec("commit")
    kept = last
  }
  const write = <A, E>(change: (tx: Transaction) => Result.Result<A, E>): Result.Result<A, E> => {
    try {
      database.exec("begin immediate")
      const result = change(begin())
      if (Result.isSuccess(result)) commit()
      return result
    } catch (error) {
      throw writeFault(error, folder)
    } finally {
      if (database.isTransaction) database.exec("rollback")
    }
  }
  return State.of({
    store,
    write: (change) =>
      Effect.suspend(() => {
        const result = write(change)
        if (Result.isSuccess(result)) for (const listener of listeners) listener()
        return Effect.fromResult(result)
      }),
    onWritten: (listener) => void listeners.push(listener),
    addFunction: (name, call) =>
      database.function(name, (value) => {
        call(Number(value))
        return null
      }),
    prepare: (statements) => database.exec(statements)
  })
}

/** State and clock of one sandbox with these tables, stored in `folder` or else discarded with the scope. */
export const stateLayer = (folder: string | undefined, tables: ReadonlyArray<string>) =>
  Layer.effectContext(
    Effect.map(openDatabase(folder, tables), (database) => {
      const store = makeStore(database)
      const offset = store.one<{ offset_millis: number }>("select offset_millis from clock")?.offset_millis ?? 0
      const place = folder ?? "memory"
      const clock = makeMarketClock(offset, (offset_millis) => {
        try {
          store.run("update clock set offset_millis = :offset_millis", { offset_millis })
        } catch (error) {
          throw writeFault(error, place)
        }
      })
      const state = makeState({ clock, database, folder: place, store })
      return Context.make(State, state).pipe(Context.add(MarketClock, clock))
    })
  )

/** Converts money to integer cents, so that sums are exact. All marketplace currencies have two decimals. */
export const toCents = (amount: number): number => Math.round(amount * 100)

/** Formats cents as the API's money. */
export const toMoney = (cents: number, currency: MarketCurrency): Money => ({ amount: cents / 100, currency })

/** Cents of each currency per euro. The sandbox's rates are fixed. */
const centsPerEuro: Readonly<Record<MarketCurrency, number>> = { EUR: 100, USD: 110, GBP: 85, CAD: 150, CHF: 95 }

/** Converts cents to another currency, rounded to the nearest cent. */
export const convertCents = (cents: number, from: MarketCurrency, to: MarketCurrency): number =>
  from === to ? cents : Math.round((cents * centsPerEuro[to]) / centsPerEuro[from])

/** A common multiple of the rates. */
const commonMultiple = 1_065_900

/** Factors that make cents comparable across currencies as integers. */
export const comparableFactor = Record.map(centsPerEuro, (cents) => commonMultiple / cents)

/** Inserts a row, whose keys are its columns. */
export const insertRow = (tx: Transaction, table: string, row: Values): void => {
  const columns = Object.keys(row)
  tx.run(`insert into ${table} (${columns.join(", ")}) values (:${columns.join(", :")})`, row)
}

/** Updates columns of the rows that have this key. */
export const updateRow = (tx: Transaction, table: string, key: Values, change: Values): void => {
  const list = (values: Values, between: string) =>
    Object.keys(values)
      .map((column) => `${column} = :${column}`)
      .join(between)
  tx.run(`update ${table} set ${list(change, ", ")} where ${list(key, " and ")}`, { ...change, ...key })
}

/** Returns the transaction at another instant, for events before the market was opened. */
export const atInstant = (tx: Transaction, atMillis: number): Transaction => ({
  ...tx,
  atMillis,
  at: textOfMillis(atMillis)
})

const wait = "1 second"

const again = (written: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(written, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.andThen(Effect.sleep(wait), again(written))
  )

/** Retries a write until it is committed, e.g. when the disk has space again. Logs the first failure as `what`. */
export const untilWritten = (what: string, written: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(written, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    return Effect.logError(what, cause).pipe(Effect.andThen(Effect.sleep(wait)), Effect.andThen(again(written)))
  }).pipe(Effect.provideService(Clock.Clock, Clock.Clock.defaultValue()))
