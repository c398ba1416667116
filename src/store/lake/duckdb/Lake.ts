import { hostname } from "node:os"
import { DuckDBInstance, DuckDBTimestampTZValue, type DuckDBConnection, type JS } from "@duckdb/node-api"
import { Context, Effect, Layer, type Scope, Random } from "effect"
import { Home } from "../../home/Home.ts"
import { lakeStep, type LakeError } from "../../../feed/reading/LakeError.ts"
import { lakeMemory } from "../../../feed/rows/memoryBound.ts"

/** DuckDB loads no code from the user's folder or the network: what we use is built in. */
export const noExtensions = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" }

/** A SQL text. DuckDB takes a NUL character for the end of a statement, so it becomes `chr(0)`. */
export const sqlText = (text: string): string =>
  text.includes("\0") ? `(${text.split("\0").map(quoted).join(" || chr(0) || ")})` : quoted(text)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** SQL of a text with U+FFFD for each U+0000, which Postgres and Redshift cannot store. */
export const withoutNul = (text: string): string => `replace(${text}, chr(0), chr(65533))`

// The client writes instants in the machine's time zone, whatever the connection's is.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0

/** What a session may set as a SQL variable: read back in SQL with `getvariable('name')`. */
export type Variable = string | number | bigint | null | ReadonlyArray<string>

/** One DuckDB connection with variables of its own; instants are read and written in UTC. */
export interface Session {
  /** Runs every statement of the text, for its effects. */
  readonly run: (step: string, sql: string) => Effect.Effect<void, LakeError>
  /**
   * Runs one query; a row is an object by column name, BIGINT as bigint. Not for prices: a DECIMAL becomes a double.
   */
  readonly rows: (step: string, sql: string) => Effect.Effect<ReadonlyArray<Record<string, JS>>, LakeError>
  readonly set: (variables: Record<string, Variable>) => Effect.Effect<void, LakeError>
  readonly connection: DuckDBConnection
}

const sqlValue = (value: Variable): string => {
  if (value === null) return "null"
  if (typeof value === "string") return sqlText(value)
  if (typeof value === "object") return `[${value.map(sqlText).join(", ")}]::varchar[]`
  return String(value)
}

/**
 * The process's only DuckDB, in memory; lake and stage files are attached where needed, because two instances
 * over one file lose writes. What does not fit its memory spills to the home's `work` folder.
 */
export class Lake extends Context.Service<Lake, { readonly session: Effect.Effect<Session, LakeError, Scope.Scope> }>()(
  "cardlake/lake/Lake"
) {
  static readonly layer = Layer.effect(
    Lake,
    Effect.gen(function* () {
      const home = yield* Home
      const instance = yield* Effect.acquireRelease(
        lakeStep("Start DuckDB", () =>
          inUtc(
            DuckDBInstance.create(":memory:", {
              ...lakeMemory,
              temp_directory: home.work(spillFolderOf(hostname(), process.pid)),
              ...noExtensions,
              // Otherwise DuckDB holds whole results back to keep their order. Our files say `order by`.
              preserve_insertion_order: "false"
            })
          )
        ),
        (instance) => Effect.sync(() => instance.closeSync())
      )
      return Lake.of({
        session: Effect.map(
          Effect.acquireRelease(
            lakeStep("Connect to DuckDB", () => instance.connect()),
            (connection) => Effect.sync(() => connection.closeSync())
          ),
          session
        )
      })
    })
  )
}

/** Sets the time zone of every connection; DuckDB does not take it among the options. */
const inUtc = async (starting: Promise<DuckDBInstance>): Promise<DuckDBInstance> => {
  const instance = await starting
  const connection = await instance.connect()
  await connection.run("set global TimeZone = 'UTC'")
  connection.closeSync()
  return instance
}

const session = (connection: DuckDBConnection): Session => {
  const call = <A>(step: string, run: () => Promise<A>): Effect.Effect<A, LakeError> =>
    Effect.suspend(() => {
      let running: Promise<unknown> = Promise.resolve()
      // Closing a connection, or exiting the process, while a query still runs would wait for ever.
      const end = Effect.promise(() => {
        connection.interrupt()
        return running.catch(() => {})
      })
      return Effect.onInterrupt(
        lakeStep(step, () => {
          const started = run()
          running = started
          return started
        }),
        () => end
      )
    })
  return {
    connection,
    run: (step, sql) => Effect.asVoid(call(step, () => connection.run(sql))),
    rows: (step, sql) => call(step, async () => (await connection.runAndReadAll(sql)).getRowObjectsJS()),
    set: (variables) => {
      const each = Object.entries(variables).map(([name, value]) => `set variable ${name} = ${sqlValue(value)}`)
      return Effect.asVoid(call("Set variables", () => connection.run(each.join(";\n"))))
    }
  }
}

/**
 * How every Parquet file of a home is written. No bloom filters: they would take a tenth of a file, and only help to
 * find a value in a column that the file is not sorted by.
 */
export const parquetFormat = (rowGroup = 122_880): string =>
  `(format parquet, compression zstd, write_bloom_filter false, row_group_size ${rowGroup})`

/** A session whose tables and views are in a database of its own, in memory, and end with the scope. */
export const scratchSession = Effect.gen(function* () {
  const session = yield* (yield* Lake).session
  const scratch = `scratch_${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
  yield* Effect.acquireRelease(
    session.run("Open a scratch database", `attach ':memory:' as ${scratch}; use ${scratch}`),
    () => Effect.ignore(session.run("Close the scratch database", `use memory; detach ${scratch}`))
  )
  return session
})

/** Where this process's DuckDB spills, below `work`: two processes in one folder would mix their files. */
export const spillFolderOf = (host: string, pid: number): string => `spill-${host}-${pid}`

/** Nobody can tell whether a process on another machine is alive. */
const maxIdleMillis = 24 * 3600 * 1000

/** Whether the run that locked the home may remove a folder of `work`: not the spill of a process that may be alive. */
export const spillFolderIsIdle = (name: string, host: string, ageMillis: number): boolean => {
  if (!name.startsWith("spill-")) return true
  const pid = name.startsWith(`spill-${host}-`) ? Number(name.slice(`spill-${host}-`.length)) : Number.NaN
  if (!Number.isSafeInteger(pid)) return ageMillis > maxIdleMillis
  try {
    process.kill(pid, 0)
    return false
  } catch (cause) {
    return !(cause instanceof Error && "code" in cause && cause.code === "EPERM")
  }
}
