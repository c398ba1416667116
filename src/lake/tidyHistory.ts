import { existsSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { Home } from "./Home.ts"
import { lakeStep } from "./LakeError.ts"
import { partFoldersOf, partsOf, presentFolders } from "./parts.ts"
import { priceTables } from "./partTables.ts"
import { removeFolder } from "./repairHome.ts"
import { pointedTo } from "./retention.ts"
import { snapshotsOf } from "./snapshots.ts"

/**
 * Removes what the parts of every game's months stand for, once the lake reads the parts: earlier and half-written parts, and the price files of
 * snapshots that lie in one, but those that something still points to. Answers the paths it removed, relative to the home.
 */
export const tidyHistory = Effect.fn("tidyHistory")(function* (current: Current) {
  const home = yield* Home
  const removed: Array<string> = []
  for (const gameId of Object.keys(current.games)) {
    const found = yield* partFoldersOf(gameId)
    const present = new Set(presentFolders(found).map(({ folder }) => folder))
    const earlier = found.filter(({ folder }) => !present.has(folder)).map(({ folder }) => folder)
    const files = (yield* partsOf(gameId)).flatMap(({ part }) =>
      part.nights.flatMap(({ snapshot }) =>
        priceTables.map(({ name }) => ({ snapshot, file: join(home.snapshot(gameId, snapshot), `${name}.parquet`) }))
      )
    )
    const doubled = files.filter(({ file }) => existsSync(file))
    const manifests = doubled.length === 0 ? [] : (yield* snapshotsOf(gameId)).map(({ manifest }) => manifest)
    const needed = pointedTo(current, gameId, manifests)
    const originals = doubled.filter(({ snapshot }) => !needed.has(snapshot)).map(({ file }) => file)
    yield* lakeStep(`Remove what the months of ${gameId} stand for`, async () => {
      await Promise.all(originals.map((file) => rm(file, { force: true })))
      await Promise.all(earlier.map(removeFolder))
    })
    removed.push(...[...originals, ...earlier].map((path) => relative(home.root, path)))
  }
  return removed
})
