import { rename, rm } from "node:fs/promises"
import { dirname, relative } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { Home } from "./Home.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"
import { makeFolders, whereNothingIs } from "./disk.ts"

/** Deletes a folder of the home: first moved to the run's scratch folder in one step. A missing one is not a fault. */
export const removeFolder = Effect.fnUntraced(function* (run: RunId, folder: string) {
  const home = yield* Home
  const scratch = joinBelow(home.work(run), "gone", relative(home.root, folder))
  yield* lakeStep(`Delete ${folder}`, async () => {
    await makeFolders(dirname(scratch))
    await rename(folder, scratch).catch(whereNothingIs)
    await rm(scratch, { recursive: true, force: true })
  })
})
