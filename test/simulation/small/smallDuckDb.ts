import { Effect } from "effect"
import { Lake, type Session, type Variable } from "../../../src/store/lake/duckdb/Lake.ts"
import { LakeError } from "../../../src/feed/reading/LakeError.ts"
import { locate } from "../machine/simulatedDisk.ts"
import { systemError } from "../machine/systemError.ts"
import type { Process, World } from "../machine/World.ts"

/** The rows of a table by game. A row is a text; a Parquet file is a JSON list of them. */
type Rows = Readonly<Record<string, ReadonlyArray<string>>>

/** What `lake.duckdb` holds at this level. */
export interface SmallLake {
  readonly tables: Record<string, Rows>
  /** Files of each view over all nights. */
  readonly views: Record<string, ReadonlyArray<string>>
  readonly lists: Record<string, ReadonlyArray<ReadonlyArray<string>>>
  readonly snapshots: ReadonlyArray<string>
  readonly live: ReadonlyArray<string>
  readonly runs: ReadonlyArray<string>
}

const emptyLake: SmallLake = { tables: {}, views: {}, lists: {}, snapshots: [], live: [], runs: [] }

/** Returns the texts in quotes of a SQL text. */
const textsIn = (sql: string): ReadonlyArray<string> =>
  [...sql.matchAll(/'((?:[^']|'')*)'/g)].map(([, text = ""]) => text.replaceAll("''", "'"))

const filesIn = (sql: string): ReadonlyArray<string> => [
  ...new Set(textsIn(sql).filter((text) => text.startsWith("/") && text.endsWith(".parquet")))
]

/** Pairs of texts in `(values ('a', 'b'), …)`. */
const pairsIn = (sql: string): ReadonlyArray<ReadonlyArray<string>> => {
  const from = sql.indexOf("(values (")
  if (from < 0 || sql.includes("where false")) return []
  const texts = textsIn(sql.slice(from))
  return Array.from({ length: texts.length / 2 }, (_, at) => texts.slice(2 * at, 2 * at + 2))
}

const gameOfRow = (row: string): string => row.slice(0, row.indexOf("/"))

/**
 * Reads and writes files as DuckDB does, but each is a list of texts. A statement is one step that nothing interrupts; what it
 * wrote is durable only once the program flushed it.
 */
const makeSession = (world: World, process: Process): Session => {
  let lake: { path: string; content: SmallLake; isWritten: boolean } | null = null
  let variables: Record<string, Variable> = {}
  /** Views and tables of a scratch database. */
  const scratch = new Map<string, ReadonlyArray<string>>()

  const diskOf = (path: string) => locate(world, process, path)
  const readFile = (path: string): string => {
    const { disk, on } = diskOf(path)
    const node = disk.find(on)
    if (node?.kind !== "file") throw new Error(`IO Error: No files found that match the pattern "${path}"`)
    return node.data.toString("utf8")
  }
  const writeFile = (path: string, text: string): void => {
    const { disk, on } = diskOf(path)
    disk.write(disk.create(on, false), Buffer.from(text))
  }
  const parse = (path: string, text: string): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      throw new Error(`Invalid Input Error: ${path} is too small to be a Parquet file, or no magic bytes found`)
    }
  }
  const rowsOfFiles = (sql: string): ReadonlyArray<string> => [
    ...new Set(filesIn(sql).flatMap((path) => parse(path, readFile(path)) as ReadonlyArray<string>))
  ]
  const rowsOf = (sql: string): ReadonlyArray<string> => {
    const name = /from (\w+)(?: p\b.*)?$/s.exec(sql)?.[1] ?? ""
    return filesIn(sql).length > 0 ? rowsOfFiles(sql) : (scratch.get(name) ?? [])
  }
  const openLake = (path: string, isNew: boolean): void => {
    const { disk, on } = diskOf(path)
    const isThere = disk.find(on) !== null
    if (!isThere && !isNew) throw systemError("ENOENT", path)
    const content = isThere ? (parse(path, readFile(path)) as SmallLake) : structuredClone(emptyLake)
    lake = { path, content, isWritten: isNew }
  }
  const closeLake = (): void => {
    if (lake?.isWritten === true) writeFile(lake.path, JSON.stringify(lake.content))
    lake = null
  }
  const content = (): SmallLake => {
    if (lake === null) throw new Error("Catalog Error: no lake is attached")
    return lake.content
  }
  const list = (name: string) => {
    const found = content().lists[name]
    if (found === undefined) throw new Error(`Catalog Error: files.${name} does not exist`)
    return found
  }
  const change = (next: Partial<SmallLake>): void => {
    if (lake !== null) lake.content = { ...lake.content, ...next }
  }
  const texts = (name: string) => (variables[name] ?? []) as ReadonlyArray<string>

  /** Replaces the rows of games in a table of the lake. */
  const publishRows = (table: string, sql: string): void => {
    const [, named = ""] = /game_id in \(([^)]*)\)/.exec(sql) ?? []
    const come = sql.slice(sql.indexOf(named) + named.length)
    const games = new Set(textsIn(named))
    const rows = { ...content().tables[table] }
    for (const game of games) delete rows[game]
    for (const [game, own] of Map.groupBy(rowsOfFiles(come), gameOfRow)) if (games.has(game)) rows[game] = own
    change({ tables: { ...content().tables, [table]: rows } })
  }

  /** A view is bound when it is made: its files have to be there. */
  const makeView = (name: string, sql: string): void => {
    const files = filesIn(sql)
    for (const file of files) readFile(file)
    change({ views: { ...content().views, [name]: files } })
  }

  const rowsOfCopy = (from: string): ReadonlyArray<string> => {
    const named = /\(from gathered/.test(from) ? "gathered" : /from (\w+) p join/.exec(from)?.[1]
    return named === undefined ? rowsOf(from) : (scratch.get(named) ?? [])
  }
  const reportsIn = (files: ReadonlyArray<string>) => files.map((path) => path.slice(path.lastIndexOf("/") + 1, -5))

  /** Statements that do something here, by their text. Any other does nothing. */
  const statements: ReadonlyArray<readonly [RegExp, (sql: string, name: string) => void]> = [
    [/^attach '.*' as lake /, (sql) => openLake(textsIn(sql)[0] ?? "", false)],
    [/^attach '.*' as next_lake /, (sql) => openLake(textsIn(sql)[0] ?? "", true)],
    [/^use memory; detach (?:next_)?lake$/, closeLake],
    [
      /^create or replace view files\.(made_from|parts|changes_seen) as/,
      (sql, name) => change({ lists: { ...content().lists, [name]: pairsIn(sql) } })
    ],
    [
      /^create or replace view files\./,
      (sql) => {
        for (const view of sql.split("create or replace view files.").slice(1))
          makeView(/^\w+/.exec(view)?.[0] ?? "", view)
      }
    ],
    [/^create or replace view (changes|price_moves|reconciliations) as/, (sql, name) => makeView(name, sql)],
    [/^create or replace table snapshots as/, () => change({ snapshots: texts("published_snapshots") })],
    [/^update snapshots set is_current/, () => change({ live: texts("current_snapshots") })],
    [
      /^create or replace table runs as/,
      () => change({ runs: [...texts("known_runs"), ...reportsIn(texts("run_files"))].sort() })
    ],
    [
      /^create view (\w+) as/,
      (sql, name) => {
        if (lake === null) scratch.set(name, rowsOfFiles(sql))
      }
    ],
    [
      /^create or replace table gathered as from (\w+)/,
      (_, name) => void scratch.set("gathered", scratch.get(name) ?? [])
    ],
    [
      /^copy /,
      (sql) => writeFile(filesIn(sql).at(-1) ?? "", JSON.stringify(rowsOfCopy(sql.slice(0, sql.lastIndexOf("to '")))))
    ],
    // Rows that differ are replaced one by one, which comes to the same.
    [
      /^create or replace temporary table touched as\s.*? as side from (\w+) where game_id in \(/s,
      (sql, name) => publishRows(name, sql)
    ],
    [/^delete from (\w+) where game_id in \(/, (sql, name) => publishRows(name, sql)]
  ]

  const questions: ReadonlyArray<readonly [RegExp, (sql: string, name: string) => ReadonlyArray<object>]> = [
    [/view_name = 'made_from'/, () => (content().lists["made_from"] === undefined ? [] : [{}])],
    [
      /^select section, inputs from files\.(made_from)/,
      (_, name) => list(name).map(([section, inputs]) => ({ section, inputs }))
    ],
    [/^select name, said from files\.(\w+)/, (_, view) => list(view).map(([name, said]) => ({ name, said }))],
    [
      /^select game_id, snapshot, is_current from snapshots/,
      () =>
        content().snapshots.map((id) => {
          const [game_id, snapshot] = id.split("/")
          return { game_id, snapshot, is_current: content().live.includes(id) }
        })
    ],
    [/ as id from snapshots$/, () => content().snapshots.map((id) => ({ id }))],
    [/^select distinct run_id from runs/, () => content().runs.map((run_id) => ({ run_id }))],
    [
      /^select 1 from read_parquet.*where deployment_id = /s,
      (sql) => (rowsOfFiles(sql).some((row) => row.endsWith(`/${textsIn(sql).at(-1)}`)) ? [{}] : [])
    ],
    [
      / from (\w+) group by snapshot except /,
      (sql, table) => {
        const written = new Set(rowsOfFiles(sql))
        const own = new Set(scratch.get(table))
        return own.size === written.size && [...own].every((row) => written.has(row)) ? [] : [{ snapshot: table }]
      }
    ],
    [/^select count\(\*\) as n from /, (sql) => [{ n: rowsOf(sql).length }]]
  ]

  const call = <A>(
    handlers: ReadonlyArray<readonly [RegExp, (sql: string, name: string) => A]>,
    none: A,
    { sql, step }: { readonly sql: string; readonly step: string }
  ): Effect.Effect<A, LakeError> =>
    Effect.suspend(() => {
      for (const [pattern, handle] of handlers) {
        const found = pattern.exec(sql)
        if (found === null) continue
        return Effect.tryPromise({
          try: () => world.operate("duckdb", step, 5, () => handle(sql, found[1] ?? "")),
          catch: (cause) => new LakeError({ step, cause })
        })
      }
      return Effect.succeed(none)
    })
  return {
    run: (step, sql) => call(statements, undefined, { step, sql }),
    rows: (step, sql) => call(questions, [], { step, sql }) as ReturnType<Session["rows"]>,
    set: (next) =>
      Effect.sync(() => {
        variables = { ...variables, ...next }
      }),
    get connection(): never {
      throw new Error("nothing at this level needs a connection")
    }
  }
}

/** The `Lake` of a process. */
export const smallLake = (world: World, process: Process) =>
  Lake.of({ session: Effect.sync(() => makeSession(world, process)) })
