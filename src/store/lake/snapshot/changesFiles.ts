import { join } from "node:path"
import { Effect, Schema } from "effect"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { FileDamaged, type FileOnRecord } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { readJson } from "../../home/jsonFile.ts"
import { isThere } from "../../home/disk.ts"

/** What `diff.json` says about the files beside it. */
const Sums = Schema.Struct({
  gameId: Schema.String,
  to: Schema.String,
  from: SnapshotId,
  files: Schema.Record(Schema.String, Schema.Array(Schema.String))
})

/** The files of a snapshot's changes that are on record; none where it follows no other. */
export const changesFiles = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const folder = (yield* Home).changes(gameId, snapshot)
  if (!isThere(folder)) return []
  const file = join(folder, "diff.json")
  const { files, ...of } = yield* readJson(file, Sums)
  if (of.gameId !== gameId || of.to !== snapshot) {
    return yield* new FileDamaged({ file, what: `it counts the changes of ${of.to} of ${of.gameId}` })
  }
  return Object.entries(files).map(([name, sha256]): FileOnRecord => ({
    file: join(folder, name),
    sizeBytes: null,
    sha256
  }))
})

/** The snapshot that a snapshot's changes were computed against; null if they cannot be read. */
export const changesFollow = Effect.fnUntraced(function* (gameId: string, snapshot: SnapshotId) {
  const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
  const sums = yield* Effect.orElseSucceed(readJson(file, Sums), () => null)
  return sums?.gameId === gameId && sums.to === snapshot ? sums.from : null
})
