import { Effect } from "effect"
import { Disk } from "../disk/Disk.ts"
import type { LakeError } from "./LakeError.ts"

/** Files of the home that are elsewhere: an empty file here stands in for each. */
export interface StandIns {
  /** Puts the content in place of a stand-in; any other file stays as it is. */
  readonly obtain: (path: string) => Effect.Effect<void, LakeError>
  /** The sum of what a file stands in for; null: it does not. */
  readonly sumOf: (path: string) => string | null
  /** The bytes of what a file stands in for, as the home's documents state them; null: it does not. */
  readonly sizeOf: (path: string) => number | null
  /** Whether a file is as it was stored elsewhere, fetched or not. */
  readonly isStored: (path: string) => boolean
  /** Stand-ins for everything of a game, not only for what a night compares with. */
  readonly wholeGame: (gameId: string) => Effect.Effect<void, LakeError>
}

interface DiskWithStandIns extends Disk {
  readonly standIns: StandIns
}

const hasStandIns = (disk: Disk): disk is DiskWithStandIns => "standIns" in disk

/** The placeholders of the fiber's disk; null if it has every file itself. */
export const StandIns = Effect.map(Disk, (disk) => (hasStandIns(disk) ? disk.standIns : null))

/** Runs an effect on a disk of which some files are elsewhere. */
export const withStandIns = (standIns: StandIns) =>
  Effect.updateService(Disk, (disk): DiskWithStandIns => ({ ...disk, standIns }))

/** Asked for before files of the home are read: those that are elsewhere come here. */
export const obtained = (...paths: ReadonlyArray<string>): Effect.Effect<void, LakeError> =>
  Effect.flatMap(StandIns, (standIns) =>
    standIns === null ? Effect.void : Effect.forEach(paths, standIns.obtain, { concurrency: 8, discard: true })
  )

/** Asked for before more than a night of a game is looked at. */
export const wholeGame = (gameId: string): Effect.Effect<void, LakeError> =>
  Effect.flatMap(StandIns, (standIns) => standIns?.wholeGame(gameId) ?? Effect.void)
