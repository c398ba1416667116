import { relative } from "node:path"
import { Effect } from "effect"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { homeFromBucket, homeIntoBucket } from "../../../store/home/bucket/moveHome.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { isThere, pathsBelow } from "../../../store/home/disk.ts"
import { homeFolders } from "../../../store/home/homePaths.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { lockHome } from "../../../store/home/lock/lockHome.ts"
import { newRunId } from "../../../store/home/newRunId.ts"
import { noLake } from "../../../store/lake/publish/openLake.ts"
import { publish } from "../../../store/lake/publish/publish.ts"
import { verifyPublished } from "../../../store/lake/repair/verifyPublished.ts"
import { ownFromBucket, ownIntoBucket } from "./ownInBucket.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** Fails if a copy of the home in a bucket would be incomplete. */
const canBeCopied = Effect.gen(function* () {
  const { root } = yield* Home
  const found = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  const unsupported = found
    .filter(({ kind }) => kind !== "file" && kind !== "folder")
    .map(({ path }) => path)
    .find((path) => homeFolders.includes(relative(root, path).split("/")[0] ?? ""))
  if (unsupported !== undefined)
    return yield* new Fault(
      "NotAFile",
      `${unsupported} is a link, a pipe or a device, which a bucket cannot store. Nothing was changed. Replace it by a file or folder, then run it again`
    )
  yield* verifyPublished(yield* readCurrent)
})

/** Copies a home into a bucket. The user's cards are included only on request. */
export const runMoveIn = Effect.fn("runMoveIn")(function* (store: BucketStore, withCollection: boolean) {
  // A mistyped folder must not be created.
  if (!isThere((yield* Home).root)) return yield* noLake
  const beside = Effect.andThen(canBeCopied, withCollection ? ownIntoBucket(store) : Effect.succeed([]))
  const { put, ...moved } = yield* homeIntoBucket(store, beside)
  return { ...moved, collections: put }
})

/** Copies a home out of a bucket, with everything that a night needs, and builds its lake. */
export const runMoveOut = Effect.fn("runMoveOut")(function* (store: BucketStore, withCollection: boolean) {
  const moved = yield* homeFromBucket(store)
  const run = yield* newRunId
  yield* publish(run, yield* readCurrent, yield* lockHome("move", run))
  return { ...moved, collections: withCollection ? yield* ownFromBucket(store) : [] }
}, Effect.scoped)
