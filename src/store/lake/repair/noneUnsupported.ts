import { Effect } from "effect"
import type { UnsupportedContract } from "../../home/UnsupportedContract.ts"
import { readCurrent, Home } from "../../home/Home.ts"
import { foldersIn, isThere } from "../../home/disk.ts"
import { readHeldBack } from "../../home/HeldBack.ts"
import { isLakeTooNew, type LakeError } from "../../../feed/reading/LakeError.ts"
import { partFoldersOf, presentFolders, readPart } from "../../home/parts.ts"
import { runsWithReport, verifyRunFile } from "../../home/runFiles.ts"
import { readSnapshot, snapshotIdsOf } from "../../home/Manifest.ts"
import { readConfirmations } from "../history/storeConfirmations.ts"
import { openLake } from "../publish/openLake.ts"

const isUnsupported = (error: unknown): error is UnsupportedContract | LakeError =>
  (error instanceof Error && "_tag" in error && error._tag === "UnsupportedContract") || isLakeTooNew(error)

/** Whatever else is wrong is for others to find. */
const unlessUnsupported = <A, E, R>(look: Effect.Effect<A, E, R>) =>
  look.pipe(
    Effect.asVoid,
    Effect.catch((error) => (isUnsupported(error) ? Effect.fail(error) : Effect.void))
  )

/** Fails if another version wrote a document of the home, or its lake, that is not read: a repair would take it for damaged. */
export const noneUnsupported = Effect.gen(function* () {
  const home = yield* Home
  yield* unlessUnsupported(readCurrent)
  for (const gameId of new Set([
    ...(yield* foldersIn(home.snapshots, "game=")),
    ...(yield* foldersIn(home.history, "game="))
  ])) {
    for (const id of yield* snapshotIdsOf(gameId)) {
      const folder = home.snapshot(gameId, id)
      yield* unlessUnsupported(readSnapshot(folder))
      yield* unlessUnsupported(readHeldBack(folder))
    }
    for (const part of presentFolders(yield* partFoldersOf(gameId))) yield* unlessUnsupported(readPart(gameId)(part))
    yield* unlessUnsupported(readConfirmations(gameId))
  }
  for (const run of yield* runsWithReport) yield* unlessUnsupported(verifyRunFile(run))
  if (isThere(home.lake)) yield* unlessUnsupported(Effect.scoped(openLake))
})
