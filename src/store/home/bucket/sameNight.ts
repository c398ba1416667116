import { join } from "node:path"
import { Effect } from "effect"
import { withDisk } from "../../../feed/disk/Disk.ts"
import { readJson } from "../jsonFile.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { Manifest } from "../Manifest.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { GameState } from "./documents.ts"
import { openState, readGame } from "./gameInBucket.ts"
import { keyOfKnown, storedParts } from "./hollowFiles.ts"

/** Returns the newest snapshot of a state: the held one, else the published one. */
const newest = ({ held, live }: GameState) => {
  const last = held.at(-1)
  return last !== undefined && (live === null || last > live) ? last : live
}

const saysTheSame = (a: Manifest, b: Manifest): boolean =>
  a.deploymentId === b.deploymentId &&
  Object.keys(a.tables).length === Object.keys(b.tables).length &&
  Object.entries(a.tables).every(([table, { sha256 }]) => b.tables[table]?.sha256 === sha256)

/** Returns another runner's new state of a game if its tables equal the local ones byte for byte; else null. */
export const sameNight = Effect.fn("sameNight")(function* (store: BucketStore, snapshots: string, own: GameState) {
  const { gameId } = own
  const other = yield* openState(store, gameId, (yield* readGame(store, gameId))?.state ?? null)
  const [mine, theirs] = [newest(own), newest(other.state)]
  if (mine === null || theirs === null) return null
  const folder = `snapshots/game=${gameId}/snapshot=${theirs}`
  const found = yield* other.folder(folder)
  const file = found === null || "list" in found ? undefined : found.files["manifest.json"]
  if (found === null || "list" in found || file === undefined) return null
  const here = join(snapshots, `snapshot=${mine}`, "manifest.json")
  return yield* Effect.acquireUseRelease(
    lakeStep("Make a folder", (disk) => disk.makeUniqueFolder(join(snapshots, "other-"))),
    (folderHere) =>
      Effect.gen(function* () {
        const there = join(folderHere, "manifest.json")
        const stored = storedParts(found, file)
        yield* store.fetch(keyOfKnown({ gameId, folder, name: "manifest.json", ...stored }), there, stored.sha256)
        return saysTheSame(yield* readJson(here, Manifest), yield* readJson(there, Manifest)) ? other.state : null
      }),
    (folderHere) => withDisk((disk) => disk.remove(folderHere))
  )
})
