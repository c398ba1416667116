import { readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { Home } from "./Home.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { syncToDisk } from "./disk.ts"

/** More than Node has threads for, so that no thread waits for the next file. */
const flushesAtOnce = 32

/** Flushes the raw pages of a reading and the folders above them: after that, a power cut loses none of them. */
export const flushReading = Effect.fn("flushReading")(function* (gameId: string, runId: RunId) {
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const game = dirname(folder)
  const names = yield* lakeStep(`List ${folder}`, () => readdir(folder, { recursive: true }))
  const paths = [...names.map((name) => join(folder, name)), folder, game, dirname(game), home.root]
  yield* Effect.forEach(paths, syncToDisk, { concurrency: flushesAtOnce, discard: true })
})
