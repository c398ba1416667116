import {
  DuckDBInstance,
  DuckDBTimestampTZValue,
  type DuckDBConnection,
  type DuckDBValue,
  type JS,
  type Json
} from "@duckdb/node-api"
import { Context, Effect, Layer, type Scope, Random } from "effect"
import { Processes } from "../../../feed/disk/Disk.ts"
import { Home } from "../../home/Home.ts"
import { lakeStep, type LakeError } from "../../../feed/reading/LakeError.ts"
import { lakeMemory, roomyMemory } from "../../../feed/rows/memoryBound.ts"
import { availableParallelism } from "node:os"

/** Prevents DuckDB from loading extensions from the user's folder or the network; ours are built in. */
export const noExtensions = { autoinstall_known_extensions: "false", autoload_known_extensions: "false" }

/** Returns a SQL literal. DuckDB ends a statement at a NUL character, so NUL becomes `chr(0)`. */
export const sqlText = (text: string): string =>
  text.includes("\0") ? `(${text.split("\0").map(quoted).join(" || chr(0) || ")})` : quoted(text)

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns SQL that replaces U+0000 by U+FFFD, because Postgres and Redshift cannot store it. */
export const withoutNul = (text: string): string => `replace(${text}, chr(0), chr(65533))`

// The client formats instants in the machine's time zone and ignores the connection's.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0

/** Value of a SQL variable, read with `getvariable('name')`. */
export type Variable = string | number | bigint | null | ReadonlyArray<string>

/** A DuckDB connection with its own variables; instants are in UTC. */
export interface Session {
  /** Runs every statement of a text without returning rows. */
  readonly run: (step: string, sql: string) => Effect.Effect<void, LakeError>
  /** Runs one query; a row is an object by column name. BIGINT becomes bigint, DECIMAL a double: not for prices. */
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

/** The only DuckDB, in memory: two over one file lose writes. Attaches files; spills to the home's `work`. */
export class Lake extends Context.Service<Lake, { readonly session: Effect.Effect<Session, LakeError, Scope.Scope> }>()(
  "cardlake/lake/Lake"
) {
  static readonly layer = Layer.effect(
    Lake,
    Effect.gen(function* () {
      const home = yield* Home
      const { host, pid } = yield* Processes
      const instance = yield* Effect.acquireRelease(
        lakeStep("Start DuckDB", () =>
          inUtc(
            DuckDBInstance.create(":memory:", {
              ...lakeMemory,
              temp_directory: home.work(spillFolderName(host, pid)),
              ...noExtensions,
              // Otherwise DuckDB buffers results to preserve their order. Our files use `order by`.
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

/** Sets the time zone of every connection, which DuckDB does not accept as an option. */
const inUtc = async (starting: Promise<DuckDBInstance>): Promise<DuckDBInstance> => {
  const instance = await starting
  const connection = await instance.connect()
  await connection.run("set global TimeZone = 'UTC'")
  connection.closeSync()
  return instance
}

/** Runs a step on a connection. An interrupted one ends first. */
export const connectionStep = <A>(
  connection: DuckDBConnection,
  step: string,
  run: () => Promise<A>
): Effect.Effect<A, LakeError> =>
  Effect.suspend(() => {
    let running: Promise<unknown> = Promise.resolve()
    // Closing a connection or exiting during a query would block forever.
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

/**
 * Returns a function that runs one query and returns exact rows: BIGINT, DECIMAL, days and instants are texts. `$name` in
 * it refers to the parameter of that name. An interrupt cancels the query and waits until it has ended.
 */
export const exactRows =
  (connection: DuckDBConnection) =>
  (step: string, sql: string, parameters: Readonly<Record<string, DuckDBValue>> = {}) =>
    connectionStep(connection, step, async (): Promise<ReadonlyArray<Readonly<Record<string, Json>>>> => {
      const answer = await connection.runAndReadAll(sql, { ...parameters })
      return answer.getRowObjectsJson()
    })

const session = (connection: DuckDBConnection): Session => {
  const call = <A>(step: string, run: () => Promise<A>) => connectionStep(connection, step, run)
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

/** Returns the options of all Parquet files. Bloom filters would add a tenth and help only in unsorted columns. */
export const parquetFormat = (rowGroup = 122_880): string =>
  `(format parquet, compression zstd, write_bloom_filter false, row_group_size ${rowGroup})`

/** Opens a session with its own in-memory database, deleted with the scope. */
export const scratchSession = Effect.gen(function* () {
  const session = yield* (yield* Lake).session
  const scratch = `scratch_${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
  yield* Effect.acquireRelease(
    session.run("Open a scratch database", `attach ':memory:' as ${scratch}; use ${scratch}`),
    () => Effect.ignore(session.run("Close the scratch database", `use memory; detach ${scratch}`))
  )
  return session
})

/** Returns the name of a process's spill folder in `work`; two processes in one folder would mix their files. */
export const spillFolderName = (host: string, pid: number): string => `spill-${host}-${pid}`

/** Maximum idle time of a spill folder of another machine, whose processes cannot be checked. */
const maxIdleMillis = 24 * 3600 * 1000

/** True if the lock's holder may delete a folder of `work`: it is no spill folder of a possibly live process. */
export const spillFolderIsIdle = ({ host, isAlive }: Processes, name: string, ageMillis: number): boolean => {
  if (!name.startsWith("spill-")) return true
  const pid = name.startsWith(`spill-${host}-`) ? Number(name.slice(`spill-${host}-`.length)) : Number.NaN
  return Number.isSafeInteger(pid) ? !isAlive(pid) : ageMillis > maxIdleMillis
}

/** Minimum growth that is worth a trim; otherwise a small game's night would trim four times for nothing. */
const worthwhileBytes = 32 * 1024 * 1024

/** Lowest memory of the process since the last trim. */
let restingBytes = 0

/**
 * Returns freed memory of all threads to the system: the C library retains hundreds of megabytes after a reading.
 * DuckDB trims it when its thread count changes; Node has no such call.
 */
export const giveBackMemory = Effect.gen(function* () {
  const bytes = process.memoryUsage.rss()
  restingBytes = Math.min(restingBytes, bytes)
  if (bytes - restingBytes < worthwhileBytes) return
  const session = yield* (yield* Lake).session
  const [row] = yield* session.rows("Read the number of threads", "select current_setting('threads') as threads")
  const threads = Number(row?.["threads"])
  yield* session.run("Release memory", `set threads = ${threads + 1}; set threads = ${threads}`)
  restingBytes = process.memoryUsage.rss()
}).pipe(Effect.scoped)

const limitMemory = Effect.fnUntraced(function* (limit: string) {
  const session = yield* (yield* Lake).session
  yield* session.run("Limit the memory", `set memory_limit = '${limit}'`)
}, Effect.scoped)

export const isOutOfMemory = (error: unknown): error is LakeError =>
  error instanceof Error && /Out of Memory/i.test(error.message)

/** Runs an idempotent step, and again with more memory if it runs out. */
export const withMoreMemory = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.catchIf(run, isOutOfMemory, () =>
    Effect.acquireUseRelease(
      limitMemory(roomyMemory.memory_limit),
      () => run,
      () => Effect.ignore(limitMemory(lakeMemory.memory_limit))
    )
  )

/** Rows per unit of DuckDB's parallel work. With fewer rows, one thread works and the others spin. */
const rowsOfGroup = 122_880

const most = lakeMemory.threads ?? String(availableParallelism())

/** Limits DuckDB to the threads that so many rows can occupy, in every session until the next call. */
export const threadsFor = Effect.fnUntraced(function* (session: Session, rows: number) {
  yield* session.run("Choose the number of threads", `set threads = ${rows <= rowsOfGroup ? "1" : most}`)
})
