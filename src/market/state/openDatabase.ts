import { Effect, Schema } from "effect"
import { join, dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, readFileSync } from "node:fs"

/** Creates a folder and its parents. Node's own `recursive` never ends if creation is impossible, as in /proc. */
export const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder)
}

/** The state's folder is unusable: not a folder, without a state of this sandbox, or in use. */
export class StateUnreadable extends Schema.TaggedError<StateUnreadable>()("StateUnreadable", {
  folder: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return (
      `The state in ${this.folder} cannot be opened: ${this.reason}. ` +
      "Stop the sandbox that uses it, or choose another folder: cardlake sandbox --state DIR"
    )
  }
}

/** Version of the tables' layout. A later sandbox may add tables without increasing it. */
const layout = 2

const pragmas = `
pragma foreign_keys = on;
pragma synchronous = normal;
pragma temp_store = memory;
`

const open = (folder: string | undefined): DatabaseSync => {
  if (folder === undefined) return new DatabaseSync(":memory:")
  makeFolders(folder)
  const database = new DatabaseSync(join(folder, "state.sqlite"))
  // A single process per state, because cached data of a second one would be wrong.
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal;")
  return database
}

const prepare = (database: DatabaseSync, tables: ReadonlyArray<string>): DatabaseSync => {
  const found = Number(database.prepare("pragma user_version").get()?.["user_version"] ?? 0)
  if (found > layout) throw new Error(`it has layout ${found}, and this sandbox reads up to ${layout}`)
  database.exec(pragmas)
  // SQLite itself folds only the case of ASCII letters.
  database.function("folded", { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text))
  database.exec(`begin immediate; ${tables.join("\n")} pragma user_version = ${layout}; commit;`)
  return database
}

/** Opens the state in `folder`, created if missing, or in memory. Commits survive a killed process. */
export const openDatabase = (folder: string | undefined, tables: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = open(folder)
        try {
          return prepare(database, tables)
        } catch (error) {
          database.close()
          throw error
        }
      },
      catch: (error) =>
        new StateUnreadable({
          folder: folder ?? "memory",
          reason: error instanceof Error ? error.message : String(error)
        })
    }),
    (database) => Effect.sync(() => database.close())
  )

const database = ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm"]

/** True for names in the format of `newId`. Only a sandbox's files have it. */
const isId = (name: string): boolean => /^[0-9a-f]{24}$/.test(name)

/** Removes a sandbox's files from a folder and nothing else. The state must be closed. */
export const emptyState = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const name of database) rmSync(join(folder, name), { force: true })
    const files = join(folder, "files")
    if (!existsSync(files)) return
    for (const name of readdirSync(files)) if (isId(name)) rmSync(join(files, name), { force: true })
    if (readdirSync(files).length === 0) rmdirSync(files)
  })

/** Reads a `.sql` file: `sqlText(new URL("./accounts.sql", import.meta.url))`. */
export const sqlText = (file: URL): string => readFileSync(file, "utf8")
