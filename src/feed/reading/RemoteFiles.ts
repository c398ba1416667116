import { Effect } from "effect"
import { Disk } from "../disk/Disk.ts"
import type { LakeError } from "./LakeError.ts"

/** Remote files of the home, each with an empty placeholder on this disk. */
export interface RemoteFiles {
  /** Downloads the content of a placeholder; any other file remains unchanged. */
  readonly obtain: (path: string) => Effect.Effect<void, LakeError>
  /** Returns the checksum of a placeholder's remote file; null if the file is no placeholder. */
  readonly sumOf: (path: string) => string | null
  /** Returns the size of a placeholder's remote file by the home's documents; null if the file is no placeholder. */
  readonly sizeOf: (path: string) => number | null
  /** True if a file has the content of its remote file, even if that is not downloaded yet. */
  readonly isStored: (path: string) => boolean
  /** Creates placeholders for all files of a game, not only for those that a night compares. */
  readonly wholeGame: (gameId: string) => Effect.Effect<void, LakeError>
}

interface DiskWithStandIns extends Disk {
  readonly standIns: RemoteFiles
}

const hasRemoteFiles = (disk: Disk): disk is DiskWithStandIns => "standIns" in disk

/** Returns the placeholders of the fiber's disk; null if every file is local. */
export const RemoteFiles = Effect.map(Disk, (disk) => (hasRemoteFiles(disk) ? disk.standIns : null))

export const withRemoteFiles = (standIns: RemoteFiles) =>
  Effect.updateService(Disk, (disk): DiskWithStandIns => ({ ...disk, standIns }))

/** Downloads files of the home before they are read, if they are remote. */
export const download = (...paths: ReadonlyArray<string>): Effect.Effect<void, LakeError> =>
  Effect.flatMap(RemoteFiles, (standIns) =>
    standIns === null ? Effect.void : Effect.forEach(paths, standIns.obtain, { concurrency: 8, discard: true })
  )

/** Creates placeholders for all files of a game, before more than one night is read. */
export const wholeGame = (gameId: string): Effect.Effect<void, LakeError> =>
  Effect.flatMap(RemoteFiles, (standIns) => standIns?.wholeGame(gameId) ?? Effect.void)
