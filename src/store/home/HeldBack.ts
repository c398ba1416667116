import { join, dirname } from "node:path"
import { Effect, Schema } from "effect"
import { diskHere } from "../../feed/disk/Disk.ts"
import { readJson, writeJson } from "./jsonFile.ts"
import { readCurrent, Home } from "./Home.ts"
import { type SnapshotFolder, readUnpublished } from "./Manifest.ts"
import { pathsBelow, replace, syncToDisk } from "./disk.ts"
import type { RunId } from "../../feed/contract/Ids.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"

/** `held.json` in a snapshot's folder: the snapshot is stored but not published. The file remains after a release. */
export const HeldBack = Schema.Struct({
  reasons: Schema.Array(Schema.String),
  /** What a person looks at; absent in older homes. */
  look: Schema.optionalKey(Schema.String),
  /** True if a mapping file can correct what a rule found; absent = false. */
  mappingHelps: Schema.optionalKey(Schema.Boolean)
})
export type HeldBack = typeof HeldBack.Type

const file = (folder: string) => join(folder, "held.json")

export const writeHeldBack = (folder: string, held: HeldBack) => writeJson(file(folder), HeldBack, held)

/** Returns why a snapshot was held; null if it was not. */
export const readHeldBack = (folder: string) =>
  Effect.suspend(() =>
    diskHere().look(file(folder), "links") === null ? Effect.succeed(null) : readJson(file(folder), HeldBack)
  )

/** True if a snapshot is marked as held. An unreadable mark counts. */
export const isMarkedHeld = (folder: string) =>
  Effect.orElseSucceed(
    Effect.map(readHeldBack(folder), (held) => held !== null),
    () => true
  )

export interface HeldSnapshot extends SnapshotFolder, HeldBack {}

/** Returns a game's snapshots that were held and never released, oldest first. */
export const heldSnapshots = Effect.fnUntraced(function* (gameId: string) {
  const current = yield* readCurrent
  const held: Array<HeldSnapshot> = []
  for (const { folder, manifest } of yield* readUnpublished(current, gameId)) {
    // An unreadable mark counts; its reasons are in the run's report.
    const mark = yield* Effect.catchTag(readHeldBack(folder), "FileDamaged", (): Effect.Effect<HeldBack> =>
      Effect.succeed({ reasons: [] })
    )
    if (mark !== null) held.push({ folder, manifest, ...mark })
  }
  return held
})

/** The number of parallel flushes, above Node's thread count, so that no thread idles. */
const maxFlushes = 32

/** Flushes a reading's raw pages and the folders above them, so that they survive a power cut. */
export const flushReading = Effect.fn("flushReading")(function* (gameId: string, runId: RunId) {
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const game = dirname(folder)
  const below = yield* lakeStep(`List ${folder}`, (disk) => pathsBelow(disk, folder))
  const paths = [...below.map(({ path }) => path), folder, game, dirname(game), home.root]
  yield* Effect.forEach(paths, syncToDisk, { concurrency: maxFlushes, discard: true })
})

/** Moves a staged snapshot into the home, after its changes and raw pages. With reasons, it is held. */
export const storeSnapshot = Effect.fn("storeSnapshot")(function* (
  { folder, manifest }: SnapshotFolder,
  changesFolder: string | null,
  held: HeldBack
) {
  const home = yield* Home
  const { gameId, snapshot } = manifest
  // Flushed only now, because by now most pages are on the disk anyway.
  yield* flushReading(gameId, manifest.runId)
  if (held.reasons.length > 0) yield* writeHeldBack(folder, held)
  if (changesFolder !== null) yield* replace(changesFolder, home.changes(gameId, snapshot))
  yield* replace(folder, home.snapshot(gameId, snapshot))
  return { folder: home.snapshot(gameId, snapshot), manifest } satisfies SnapshotFolder
})
