import { Effect, Schema } from "effect"
import { Disk } from "../../../feed/disk/Disk.ts"
import { DialectName } from "../../../feed/contract/dialect/DialectName.ts"
import { SnapshotId, type RunId } from "../../../feed/contract/Ids.ts"
import { FileDamaged, replaceSummed, verifyFile } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { readJson, writeJson } from "../../home/jsonFile.ts"
import { dirname, join } from "node:path"
import { isThere, makeFolder, namesIn } from "../../home/disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { snapshotFiles } from "../snapshot/snapshotFiles.ts"
import { readSnapshot } from "../../home/Manifest.ts"

/** A night without news since an earlier snapshot. */
export const Confirmation = Schema.Struct({
  gameId: Schema.String,
  snapshot: SnapshotId,
  /** Start of the run. */
  seenAt: Schema.String,
  /** Absent: the spec's. */
  dialect: Schema.optionalKey(DialectName)
})
export type Confirmation = typeof Confirmation.Type

const Kept = Schema.Struct({ nights: Schema.Array(Confirmation) })

/** Returns a game's stored nights without news; empty if there is no file. */
export const readConfirmations = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).confirmations(gameId)
  if ((yield* Disk).look(file, "links") === null) return []
  const { nights } = yield* readJson(file, Kept)
  const other = nights.find((night) => night.gameId !== gameId)
  return other === undefined ? nights : yield* new FileDamaged({ file, what: `it belongs to ${other.gameId}` })
})

/** Stores a game's nights without news in its history before their run reports are deleted. Idempotent. */
export const storeConfirmations = Effect.fn("storeConfirmations")(function* (
  gameId: string,
  confirmations: ReadonlyArray<Confirmation>
) {
  const file = (yield* Home).confirmations(gameId)
  const before = yield* readConfirmations(gameId)
  const all = new Map([...before, ...confirmations].map((one) => [`${one.snapshot} ${one.seenAt}`, one]))
  if (all.size > before.length) yield* writeJson(file, Kept, { nights: [...all.values()] })
})

/** Returns the drift files of a game's pruned nights, including those of which only the checksum exists. */
export const keptDrift = Effect.fnUntraced(function* (gameId: string) {
  const folder = dirname((yield* Home).drift(gameId, SnapshotId.make("any")))
  const files = (yield* namesIn(folder)).map((name) => name.replace(/\.sha256$/, ""))
  return [...new Set(files)].filter((name) => name.endsWith(".parquet")).map((name) => join(folder, name))
})

/** Stores the unknown keys of nights to be deleted, their only copy. Warns about a damaged one. Idempotent. */
export const storeDrift = Effect.fn("storeDrift")(function* (
  run: RunId,
  gameId: string,
  snapshots: ReadonlyArray<SnapshotId>
) {
  const home = yield* Home
  const store = Effect.fnUntraced(function* (snapshot: SnapshotId) {
    const folder = home.snapshot(gameId, snapshot)
    const own = (yield* snapshotFiles(yield* readSnapshot(folder))).find(
      ({ file }) => file === join(folder, "drift.parquet")
    )
    if (own === undefined || !isThere(own.file)) return
    yield* verifyFile(own)
    const work = home.work(run)
    yield* makeFolder(work)
    yield* makeFolder(dirname(home.drift(gameId, snapshot)))
    const copy = join(work, "drift.parquet")
    yield* lakeStep(`Copy ${own.file}`, (disk) => disk.copy(own.file, copy))
    yield* replaceSummed(copy, home.drift(gameId, snapshot))
  })
  yield* Effect.forEach(
    snapshots,
    (snapshot) => Effect.catchTag(store(snapshot), "FileDamaged", ({ message }) => Effect.logWarning(message)),
    { discard: true }
  )
})
