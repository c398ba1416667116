import { DuckDBInstance, type DuckDBConnection, type DuckDBValue, type Json } from "@duckdb/node-api"
import { Effect, Pool, RcMap, Schedule, type Scope } from "effect"
import { monotonicMillis } from "../../feed/disk/monotonicMillis.ts"
import { Home } from "../../store/home/Home.ts"
import { lakeMemory } from "../../feed/rows/memoryBound.ts"
import { connectionStep, exactRows, noExtensions, sqlText } from "../../store/lake/duckdb/Lake.ts"
import { isThere, privateFolder } from "../../store/home/disk.ts"
import { lakeStep, type LakeError } from "../../feed/reading/LakeError.ts"
import { NoLake, noLake } from "../../store/lake/publish/openLake.ts"
import { queryNamed } from "./queryNamed.ts"
import type { SourceTitles } from "../../feed/contract/sourceTitles.ts"

/** Idle time without requests before the reader precomputes results. */
const calmMillis = 1000

/** A row as exact text: BIGINT, DECIMAL, days and instants are strings, DOUBLE and small integers are numbers. */
export type Row = Readonly<Record<string, Json>>
export type Parameters = Readonly<Record<string, DuckDBValue>>

/** The lake as of the start of a request. It stays consistent even if a night replaces the file meanwhile. */
export interface LakeView {
  /** Runs one query; `$name` in it refers to the parameter of that name. */
  readonly rows: (step: string, sql: string, parameters?: Parameters) => Effect.Effect<ReadonlyArray<Row>, LakeError>
  /** Runs a query of a search page with a plan that is kept for each lake file. */
  readonly search: (
    query: keyof typeof searchQueries,
    parameters: Parameters
  ) => Effect.Effect<ReadonlyArray<Row>, LakeError>
  /** Opens another connection to the same lake, for parallel queries. Each connection has separate temporary tables. */
  readonly beside: Effect.Effect<LakeView["rows"], LakeError, Scope.Scope>
  readonly sources: SourceNames
  /** Returns once `memory.findings` holds the ids that look wrong. */
  readonly audited: Effect.Effect<void, LakeError>
  /** As `rows`, but cached by step for each lake file. Only for results that are equal for all visitors. */
  readonly kept: LakeView["rows"]
}

/**
 * Reads `lake.duckdb` for many concurrent requests and never writes to it. After a night has replaced the file, the
 * next request opens the new one; the old one is closed when its last request ends.
 */
export const makeLakeReader = Effect.gen(function* () {
  const home = yield* Home
  const files = yield* RcMap.make({ lookup: (_identity: string) => openFile(home.lake), idleTimeToLive: "1 hour" })
  let present = ""
  /** Fails with {@link NoLake} before the first night. */
  const view = Effect.gen(function* () {
    const identity = yield* identifyFile(home.lake)
    if (identity === null) {
      const isMoved = present !== "" && !isThere(home.root)
      const none = Effect.flip(Effect.provideService(noLake, Home, home))
      return yield* Effect.flatMap(none, (none) => new NoLake({ ...none, isMoved }))
    }
    const before = present
    present = identity
    if (before !== identity) yield* RcMap.invalidate(files, before)
    // If the file could not be opened, the next request tries again.
    const file = yield* Effect.tapError(RcMap.get(files, identity), () => RcMap.invalidate(files, identity))
    const connection = yield* connected(file.instance)
    yield* noticed(file.activity)
    const { audited, kept, search, sources } = file
    const beside = Effect.map(connected(file.instance), exactRows)
    return { rows: exactRows(connection), search, beside, sources, audited, kept } satisfies LakeView
  })
  return { view }
})
export type LakeReader = Effect.Success<typeof makeLakeReader>

/** Returns a text that changes with every replacement of the file; null if there is no file. */
export const identifyFile = (file: string) =>
  lakeStep(`Read ${file}`, async (disk) => {
    const found = disk.look(file)
    return found === null ? null : `${found.device} ${found.inode} ${found.modifiedNanos}`
  })

/** Starts DuckDB over a lake file until the scope closes. */
const attachLake = Effect.fnUntraced(function* (file: string, settings: Readonly<Record<string, string>>) {
  const spill = yield* privateFolder
  const instance = yield* Effect.acquireRelease(
    lakeStep("Start DuckDB", () =>
      DuckDBInstance.create(":memory:", { ...lakeMemory, temp_directory: spill, ...noExtensions, ...settings })
    ),
    (instance) => Effect.sync(() => instance.closeSync())
  )
  yield* lakeStep("Open the lake", async () => {
    const connection = await instance.connect()
    await connection.run(`attach ${sqlText(file)} as lake (read_only)`)
    connection.closeSync()
  })
  return instance
})

const openFile = Effect.fnUntraced(function* (file: string) {
  const instance = yield* attachLake(file, {})
  const sources = yield* Effect.scoped(
    Effect.flatMap(connected(instance), (connection) => namesInLake(exactRows(connection)))
  )
  // It has a separate connection, so an abandoned request cannot interrupt it for other requests.
  const audited = yield* Effect.cached(
    Effect.scoped(
      Effect.flatMap(connected(instance), (connection) =>
        Effect.asVoid(exactRows(connection)("Audit the ids", queryNamed("audit/findings")))
      )
    )
  )
  const answers = new Map<string, Effect.Effect<ReadonlyArray<Row>, LakeError>>()
  const kept: LakeView["rows"] = Effect.fnUntraced(function* (step, sql, parameters) {
    const reading = Effect.scoped(Effect.flatMap(connected(instance), (own) => exactRows(own)(step, sql, parameters)))
    // A failed or interrupted query is not cached.
    const forgotten = Effect.onError(reading, () => Effect.sync(() => answers.delete(step)))
    const answer = answers.get(step) ?? (yield* Effect.cached(forgotten))
    answers.set(step, answer)
    return yield* answer
  })
  // The precomputation takes seconds in a large lake, so it runs while no request is active, one query at a time.
  /** The number of requests that use the file, and when the last one ended. */
  const activity = { now: 0, last: monotonicMillis() }
  const isCalm = Effect.sync(() => activity.now === 0 && monotonicMillis() - activity.last >= calmMillis)
  const calm = Effect.repeat(isCalm, { until: (is) => is, schedule: Schedule.spaced(calmMillis / 4) })
  const beforehand = [lastMoves({ kept }), keptMoves({ kept }, 7), audited]
  yield* Effect.forkScoped(Effect.forEach(beforehand, (work) => Effect.andThen(calm, Effect.ignore(work))))
  // A search has hundreds of small steps: a second thread costs a third more CPU time. Both instances only read the file.
  const search = yield* plannedSearch(connected(yield* attachLake(file, { threads: "1" })))
  return { instance, search, sources, audited, kept, activity }
})

/** Counts a request as a user of the file until its scope ends. */
const noticed = (activity: Effect.Success<ReturnType<typeof openFile>>["activity"]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      activity.now += 1
    }),
    () =>
      Effect.sync(() => {
        activity.now -= 1
        activity.last = monotonicMillis()
      })
  )

const connected = (instance: DuckDBInstance) =>
  Effect.acquireRelease(
    lakeStep("Connect to the lake", async () => {
      const connection = await instance.connect()
      await connection.run("set TimeZone = 'UTC'; use lake")
      return connection
    }),
    (connection) => Effect.sync(() => connection.closeSync())
  )

const maxSearches = 8

// DuckDB plans a statement with parameters again for each run, and a search takes half of its time to plan.
// A statement that reads its arguments from a table is planned once.
const searchQueries = { products: queryNamed("search/products"), expansions: queryNamed("search/expansions") }
const makeTables = `create temporary table asked (said varchar, game varchar, most bigint, skip bigint, per_name bigint);
insert into temp.asked values (null, null, null, null, null);
${queryNamed("search/sets")}`
const noArguments = { most: null, skip: null, per_name: null }
const setArguments =
  "update temp.asked set said = $said, game = $game, most = $most, skip = $skip, per_name = $per_name"

/** Returns the search of an open lake file, which keeps connections on which it is planned. */
const plannedSearch = (connect: Effect.Effect<DuckDBConnection, LakeError, Scope.Scope>) =>
  Effect.map(
    Pool.makeWithTTL({ acquire: Effect.flatMap(connect, planSearch), min: 0, max: maxSearches, timeToLive: "1 hour" }),
    (pool): LakeView["search"] =>
      (query, parameters) =>
        Pool.use(pool, (search) => search(query, parameters))
  )

const planSearch = (connection: DuckDBConnection) =>
  lakeStep("Plan the search", async () => {
    await connection.run(makeTables)
    const plan = (sql: string) => connection.prepare(sql.replaceAll(/\$(\w+)/g, "(select $1 from temp.asked)"))
    const statements = {
      products: await plan(searchQueries.products),
      expansions: await plan(searchQueries.expansions)
    }
    return (query: keyof typeof searchQueries, parameters: Parameters) =>
      connectionStep(connection, `Search ${query}`, async () => {
        await connection.run(setArguments, { ...noArguments, ...parameters })
        return (await statements[query].runAndReadAll()).getRowObjectsJson()
      })
  })

/** Names and home pages of the price sources, as the lake has them. */
export interface SourceNames {
  readonly titles: SourceTitles
  /** Home pages by source; only URLs that a browser can open as a web page. */
  readonly urls: ReadonlyMap<string, string>
}

const namesInLake = Effect.fnUntraced(function* (rows: LakeView["rows"]) {
  const named = yield* rows("Read the names of the sources", queryNamed("price_sources"))
  const texts = (column: string) =>
    new Map(
      named.flatMap((row) => (row[column] === null ? [] : [[String(row["source"]), String(row[column])] as const]))
    )
  return { titles: texts("title"), urls: texts("url") } satisfies SourceNames
})

/** The days of movers that are kept for each lake file. */
export const keptDays: ReadonlyArray<number> = [1, 7]

/** Returns once `memory.moves_of_days_N` holds the moves of so many days, one of `keptDays`, in any game, at any price. */
export const keptMoves = ({ kept }: Pick<LakeView, "kept">, days: number) =>
  kept(
    `Read the moves of days: ${days}`,
    `create or replace table memory.main.moves_of_days_${days} as from movers(days := ${days}, min_price := 0)`
  )

/** Returns the largest moves of every game since its previous reading, cached for each lake file. */
export const lastMoves = (lake: Pick<LakeView, "kept">) =>
  Effect.andThen(keptMoves(lake, 1), lake.kept("Read the moves", queryNamed("morning/moves")))
