import { Effect } from "effect"
import type { ContractTooNew } from "../../home/ContractTooNew.ts"
import { readCurrent } from "../../home/Current.ts"
import { foldersIn, isThere } from "../../home/disk.ts"
import { readHeldBack } from "../../home/HeldBack.ts"
import { Home } from "../../home/Home.ts"
import { isLakeTooNew, type LakeError } from "../../home/LakeError.ts"
import { partFoldersOf, presentFolders, readPart } from "../../home/parts.ts"
import { runsWithReport, verifyRunFile } from "../../home/runFiles.ts"
import { readSnapshot, snapshotIdsOf } from "../../home/snapshots.ts"
import { readConfirmations } from "../history/storeConfirmations.ts"
import { openLake } from "../publish/openLake.ts"

const isTooNew = (error: unknown): error is ContractTooNew | LakeError =>
  (error instanceof Error && "_tag" in error && error._tag === "ContractTooNew") || isLakeTooNew(error)

/** Whatever else is wrong is for others to find. */
const unlessTooNew = <A, E, R>(look: Effect.Effect<A, E, R>) =>
  look.pipe(
    Effect.asVoid,
    Effect.catch((error) => (isTooNew(error) ? Effect.fail(error) : Effect.void))
  )

/** Fails if a later version wrote any document of the home, or its lake: a repair would take it for damaged. */
export const noneTooNew = Effect.gen(function* () {
  const home = yield* Home
  yield* unlessTooNew(readCurrent)
  for (const gameId of new Set([
    ...(yield* foldersIn(home.snapshots, "game=")),
    ...(yield* foldersIn(home.history, "game="))
  ])) {
    for (const id of yield* snapshotIdsOf(gameId)) {
      const folder = home.snapshot(gameId, id)
      yield* unlessTooNew(readSnapshot(folder))
      yield* unlessTooNew(readHeldBack(folder))
    }
    for (const part of presentFolders(yield* partFoldersOf(gameId))) yield* unlessTooNew(readPart(gameId)(part))
    yield* unlessTooNew(readConfirmations(gameId))
  }
  for (const run of yield* runsWithReport) yield* unlessTooNew(verifyRunFile(run))
  if (isThere(home.lake)) yield* unlessTooNew(Effect.scoped(openLake))
})
