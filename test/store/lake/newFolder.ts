import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** An empty folder that is removed with the scope. */
export const newFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-test-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
