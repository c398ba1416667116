import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"

/** An empty folder that nobody else may read or write, removed with the scope. */
export const privateFolder = Effect.acquireRelease(
  lakeStep("Make a temporary folder", () => mkdtemp(join(tmpdir(), "cardlake-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
