import { Effect, Schema } from "effect"
import { join, dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, readFileSync } from "node:fs"

/** Makes a folder and those above it. Node's own `recursive` never ends where none can be made, as in /proc. */
export const makeFolders = (folder: string): void => {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder)
}

/** The folder of a state cannot be used: no folder, no state of this sandbox, or in use by another one. */
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
const layout = 1

const pragmas = `
pragma foreign_keys = on;
pragma synchronous = normal;
pragma temp_store = memory;
`

const open = (folder: string | undefined): DatabaseSync => {
  if (folder === undefined) return new DatabaseSync(":memory:")
  makeFolders(folder)
  const database = new DatabaseSync(join(folder, "state.sqlite"))
  // One process per state: a second one's cached data would be wrong.
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal;")
  return database
}

const prepare = (database: DatabaseSync, tables: ReadonlyArray<string>): DatabaseSync => {
  const found = Number(database.prepare("pragma user_version").get()?.["user_version"] ?? 0)
  if (found > layout) throw new Error(`it has layout ${found}, and this sandbox reads up to ${layout}`)
  database.exec(pragmas)
  // SQLite itself folds the case of English letters only.
  database.function("folded", { deterministic: true }, (text) => (typeof text === "string" ? text.toLowerCase() : text))
  database.exec(`begin immediate; ${tables.join("\n")} pragma user_version = ${layout}; commit;`)
  return database
}

/**
 * The marketplace's state in `folder`, which is made if it is not there; without one it lasts as long as the sandbox.
 * What is committed survives a killed process.
 */
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

/** What `newId` of a state gives: no other file is one of a sandbox. */
const isId = (name: string): boolean => /^[0-9a-f]{24}$/.test(name)

/** Removes what a sandbox kept in a folder, and nothing else that is there. The state must be closed. */
export const emptyState = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const name of database) rmSync(join(folder, name), { force: true })
    const files = join(folder, "files")
    if (!existsSync(files)) return
    for (const name of readdirSync(files)) if (isId(name)) rmSync(join(files, name), { force: true })
    if (readdirSync(files).length === 0) rmdirSync(files)
  })

/** Text of a `.sql` file: `sqlText(new URL("./accounts.sql", import.meta.url))`. */
export const sqlText = (file: URL): string => readFileSync(file, "utf8")
