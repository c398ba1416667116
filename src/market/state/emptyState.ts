import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"

const kept = ["state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "files"]

/** Removes what a sandbox kept in a folder, and nothing else that is there. The state must be closed. */
export const emptyState = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => kept.forEach((name) => rmSync(join(folder, name), { recursive: true, force: true })))
