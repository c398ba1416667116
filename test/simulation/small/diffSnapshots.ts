import { join } from "node:path"
import { Effect } from "effect"
import { Disk } from "../../../src/feed/disk/Disk.ts"
import { fileSha256, makeFolder, syncToDisk } from "../../../src/store/home/disk.ts"
import { writeJson } from "../../../src/store/home/jsonFile.ts"
import { Diff } from "../../../src/store/home/Diff.ts"
import type { SnapshotFolder } from "../../../src/store/home/Manifest.ts"

const files = [
  "catalogue_changes",
  "price_moves",
  "reconciliations",
  "product_versions",
  "expansion_versions",
  "external_id_versions"
]
const none = { added: 0, removed: 0, modified: 0, modifiedCatalogue: 0, modifiedPrice: 0 }

/** The difference of two snapshots of small values: one row a table says which they are. */
export const diffSnapshots = Effect.fnUntraced(function* (from: SnapshotFolder, to: SnapshotFolder, folder: string) {
  const { gameId, snapshot } = to.manifest
  const disk = yield* Disk
  yield* makeFolder(folder)
  const sums: Record<string, ReadonlyArray<string>> = {}
  for (const name of files) {
    const file = join(folder, `${name}.parquet`)
    const row = `${gameId}/${snapshot} follows ${from.manifest.snapshot}`
    yield* Effect.sync(() => disk.writeNow(file, [Buffer.from(JSON.stringify([row]))]))
    yield* syncToDisk(file)
    sums[`${name}.parquet`] = [yield* fileSha256(file)]
  }
  const diff: Diff = {
    gameId,
    from: from.manifest.snapshot,
    to: snapshot,
    fromDeployment: from.manifest.deploymentId,
    toDeployment: to.manifest.deploymentId,
    changes: { products: none, expansions: none },
    unclaimedRemovals: 0,
    contradictions: 0,
    reconciliation: null,
    files: sums
  }
  yield* writeJson(join(folder, "diff.json"), Diff, diff)
  return diff
})
