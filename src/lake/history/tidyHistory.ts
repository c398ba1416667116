import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { Effect, Result } from "effect"
import type { RunId } from "../../contract/Ids.ts"
import type { Current } from "../publish/Current.ts"
import { Home } from "../home/Home.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { partFoldersOf, partsOf, readPart, type PartFolder } from "./parts.ts"
import { priceTables } from "./partTables.ts"
import { removeFolder } from "../home/removeFolder.ts"
import { pointedTo } from "./retention.ts"
import { partFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot, unpublishedOf } from "../snapshot/snapshots.ts"
import { verifyFile } from "../home/verifyFile.ts"
import { isThere } from "../home/disk.ts"

/**
 * Removes what months' parts replace, once the lake reads them: earlier parts, and price files of snapshots that are
 * neither published, rolled back to nor held. If a part is damaged, all stays. Returns the paths removed.
 */
export const tidyHistory = Effect.fn("tidyHistory")(function* (run: RunId, current: Current) {
  const home = yield* Home
  const removed: Array<string> = []
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const present = yield* partsOf(gameId)
    const earlier = yield* earlierParts(gameId, present)
    const files = present.flatMap(({ part }) =>
      part.nights.flatMap(({ snapshot }) =>
        priceTables.map(({ name }) => ({ snapshot, file: join(home.snapshot(gameId, snapshot), `${name}.parquet`) }))
      )
    )
    const doubled = files.filter(({ file }) => isThere(file))
    const live = home.snapshot(gameId, snapshot)
    const known = doubled.length === 0 ? [] : [yield* readSnapshot(live), ...(yield* unpublishedOf(current, gameId))]
    const manifests = known.map(({ manifest }) => manifest)
    const needed = pointedTo(current, gameId, manifests)
    const originals = doubled.filter(({ snapshot }) => !needed.has(snapshot)).map(({ file }) => file)
    if (originals.length + earlier.length === 0) continue
    const verified = yield* Effect.result(Effect.forEach(present.flatMap(partFiles), verifyFile, { concurrency: 4 }))
    if (Result.isFailure(verified)) {
      yield* Effect.logWarning(`Nothing that it replaces was removed. ${verified.failure.message}`)
      continue
    }
    yield* lakeStep(`Remove what the months of ${gameId} stand for`, () =>
      Promise.all(originals.map((file) => rm(file, { force: true })))
    )
    yield* Effect.forEach(earlier, (folder) => removeFolder(run, folder), { discard: true })
    removed.push(...[...originals, ...earlier].map((path) => relative(home.root, path)))
  }
  return removed
})

/**
 * Whole parts that a later one replaces. One that cannot be read, or has a night that the later one lacks, stays.
 */
const earlierParts = Effect.fnUntraced(function* (gameId: string, present: ReadonlyArray<PartFolder>) {
  const others = (yield* partFoldersOf(gameId)).filter(
    (one) => one.isWhole && !present.some(({ folder }) => folder === one.folder)
  )
  const replaced = yield* Effect.filter(others, (one) =>
    Effect.match(readPart(gameId)(one), {
      onSuccess: ({ part }) => {
        const nights = new Set(
          present.find((later) => later.part.month === part.month)?.part.nights.map((night) => night.snapshot)
        )
        return part.nights.every(({ snapshot }) => nights.has(snapshot))
      },
      onFailure: () => false
    })
  )
  return replaced.map(({ folder }) => folder)
})
