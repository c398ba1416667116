import { join } from "node:path"
import { Effect } from "effect"
import { Home } from "../home/Home.ts"
import { replace } from "../home/disk.ts"
import { writeJson } from "../home/jsonFile.ts"
import { Diff } from "./Diff.ts"
import { readDiff } from "./readDiff.ts"

/**
 * Replaces a snapshot's changes with those computed again into `staged`, file by file, so that every file is there
 * even if the run dies. In between, a file may have its old or its new sum.
 */
export const replaceChanges = Effect.fn("replaceChanges")(function* (staged: string, diff: Diff) {
  const folder = (yield* Home).changes(diff.gameId, diff.to)
  const fresh = diff.files
  const old = yield* Effect.orElseSucceed(readDiff(diff.gameId, { snapshot: diff.to }), () => null)
  if (old !== null) {
    const both = Object.entries(fresh).map(([name, sums]) => [name, [...(old.files[name] ?? []), ...sums]] as const)
    yield* writeJson(join(folder, "diff.json"), Diff, { ...old, files: Object.fromEntries(both) })
  }
  for (const name of Object.keys(fresh)) yield* replace(join(staged, name), join(folder, name))
  yield* writeJson(join(folder, "diff.json"), Diff, diff)
})
