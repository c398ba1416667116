import { join, relative } from "node:path"
import { Effect, Result } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { type Current, Home } from "../../home/Home.ts"
import { allBackfillParts, backfillPartFiles, listBackfillParts } from "../../home/backfill/BackfillPart.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { listPartFolders, listParts, readPart, type PartFolder } from "../../home/parts.ts"
import { priceTables } from "../../../feed/schema/partTables.ts"
import { removeFolder } from "../../home/setAside.ts"
import { pointedTo } from "./retention.ts"
import { partFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot, readUnpublished } from "../../home/Manifest.ts"
import { verifyKept } from "../../home/verifyFile.ts"
import { isThere } from "../../home/disk.ts"

/** A file or folder that a month's part replaces. */
interface Replaced {
  readonly path: string
  readonly by: PartFolder
}

/**
 * Deletes what parts replace, once the lake reads them: earlier parts, and price files of snapshots that are neither
 * published, rollback targets nor held. If a used part is damaged, keeps everything. Reads no other part, so the cost
 * is independent of the number of months. Returns the deleted paths.
 */
export const tidyHistory = Effect.fn("tidyHistory")(function* (run: RunId, current: Current) {
  const home = yield* Home
  const removed: Array<string> = []
  for (const gameId of Object.keys(current.games)) {
    const replaced = yield* Effect.orElseSucceed(replacedParts(gameId), () => [])
    yield* Effect.forEach(replaced, (folder) => removeFolder(run, folder), { discard: true })
    removed.push(...replaced.map((folder) => relative(home.root, folder)))
  }
  for (const [gameId, { snapshot }] of Object.entries(current.games)) {
    const read = yield* Effect.result(listParts(gameId))
    if (Result.isFailure(read)) {
      yield* Effect.logWarning(`Compacted files of ${gameId} were not removed. ${read.failure.message}`)
      continue
    }
    const present = read.success
    const earlier = yield* earlierParts(gameId, present)
    const doubled = present.flatMap((by) =>
      by.part.nights.flatMap(({ snapshot }) =>
        priceTables
          .map(({ name }) => ({ by, snapshot, path: join(home.snapshot(gameId, snapshot), `${name}.parquet`) }))
          .filter(({ path }) => isThere(path))
      )
    )
    const live = home.snapshot(gameId, snapshot)
    const known = doubled.length === 0 ? [] : [yield* readSnapshot(live), ...(yield* readUnpublished(current, gameId))]
    const manifests = known.map(({ manifest }) => manifest)
    const needed = pointedTo(current, gameId, manifests)
    const originals = doubled.filter(({ snapshot }) => !needed.has(snapshot))
    const relied = new Set([...originals, ...earlier].map(({ by }) => by))
    const verified = yield* Effect.result(
      Effect.forEach([...relied].flatMap(partFiles), verifyKept, { concurrency: 4, discard: true })
    )
    if (Result.isFailure(verified)) {
      yield* Effect.logWarning(`The files that it replaces were not removed. ${verified.failure.message}`)
      continue
    }
    yield* lakeStep(`Remove what the months of ${gameId} stand for`, (disk) =>
      Promise.all(originals.map(({ path }) => disk.removeFile(path)))
    )
    yield* Effect.forEach(earlier, ({ path }) => removeFolder(run, path), { discard: true })
    removed.push(...[...originals, ...earlier].map(({ path }) => relative(home.root, path)))
  }
  return removed
})

/** Returns backfill parts whose rows a later intact part has. */
const replacedParts = Effect.fnUntraced(function* (gameId: string) {
  const present = yield* listBackfillParts(gameId)
  const known = new Set<string>(present.map(({ folder }) => folder))
  const earlier = (yield* allBackfillParts(gameId)).filter(({ folder }) => !known.has(folder))
  if (earlier.length === 0) return []
  yield* Effect.forEach(present.flatMap(backfillPartFiles), verifyKept, { concurrency: 4, discard: true })
  return earlier.map(({ folder }) => folder)
})

/** Returns complete parts that a later one replaces. Excludes any with a night that the later one lacks. */
const earlierParts = Effect.fnUntraced(function* (gameId: string, present: ReadonlyArray<PartFolder>) {
  const others = (yield* listPartFolders(gameId)).filter(
    (one) => one.isWhole && !present.some(({ folder }) => folder === one.folder)
  )
  const replaced = yield* Effect.forEach(others, (one) =>
    Effect.match(readPart(gameId)(one), {
      onSuccess: ({ part }): ReadonlyArray<Replaced> => {
        const by = present.find((later) => later.part.month === part.month)
        const nights = new Set(by?.part.nights.map((night) => night.snapshot))
        const isReplaced = part.nights.every(({ snapshot }) => nights.has(snapshot))
        return by !== undefined && isReplaced ? [{ path: one.folder, by }] : []
      },
      onFailure: () => []
    })
  )
  return replaced.flat()
})
