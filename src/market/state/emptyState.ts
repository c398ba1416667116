import { Effect } from "effect"
import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs"
import { join } from "node:path"

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
