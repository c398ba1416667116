import { join } from "node:path"
import { Effect, Schema } from "effect"
import { diskHere } from "../../feed/disk/Disk.ts"
import { readJson, writeJson } from "./jsonFile.ts"
import { readCurrent } from "./Home.ts"
import { type SnapshotFolder, readUnpublished } from "./Manifest.ts"

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

/** Marks a staged snapshot as held. */
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
