import { Effect } from "effect"
import { makeFolders } from "../../store/home/disk.ts"
import type { RunId } from "../../feed/contract/Ids.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { lockFolder } from "../../store/home/lock/lockHome.ts"
import { ownPaths } from "./Own.ts"

/** Mode of the documents in `own/`, which may be a link into a folder that others may look into. */
export const onlyOwner = 0o600

/** Runs a change of `own/` while no other is at work; fails with {@link HomeBusy} if one is. Only its owner may look into the folder. */
export const alone = <A, E, R>(run: RunId, change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const paths = yield* ownPaths
    yield* lakeStep(`Make ${paths.root}`, () => makeFolders(paths.root, 0o700))
    // Also where the folder is a link into one that others may look into, which stays as it is.
    yield* lakeStep(`Make ${paths.imports}`, () => makeFolders(paths.imports, 0o700))
    yield* lockFolder(paths, "change", run)
    return yield* change
  }).pipe(Effect.scoped)
