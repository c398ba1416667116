import { runMillis } from "../newRunId.ts"
import { isPathBelow } from "../../../feed/guard/joinBelow.ts"

/** The owner and the relative path of a home's file. */
export interface Place {
  /** Null if it belongs to no game. */
  readonly gameId: string | null
  /** The folder of a run; null if it belongs to no run. */
  readonly folder: string | null
  /** Its path relative to that folder, else to the home. */
  readonly name: string
}

/** Folders that are written once and deleted as a unit. */
const ofRuns: ReadonlyArray<RegExp> = [
  /^(raw\/([^/]+)\/[^/]+)\/(.+)$/,
  /^(snapshots\/game=([^/]+)\/snapshot=[^/]+)\/(.+)$/,
  /^(changes\/game=([^/]+)\/to=[^/]+)\/(.+)$/,
  /^(history\/game=([^/]+)\/month=[^/]+\/part=[^/]+)\/(.+)$/,
  /^(history\/game=([^/]+)\/backfill\/part=[^/]+)\/(.+)$/,
  /^(backfill\/game=([^/]+)\/answers)\/(.+)$/
]

const ofGame = /^(?:deployments|history|backfill)\/game=([^/]+)\/.+$/
const ofNone = /^(?:fx_rates\.parquet(?:\.sha256)?|backfill\/limits\.json|runs\/[^/]+\.json)$/

/** Returns null for a run's temporary files, the derived lake, and unknown paths. */
export const placeOf = (path: string): Place | null => {
  if (path.endsWith(".part") || !isPathBelow(path)) return null
  for (const pattern of ofRuns) {
    const [, folder, gameId, name] = pattern.exec(path) ?? []
    if (folder !== undefined && gameId !== undefined && name !== undefined) return { gameId, folder, name }
  }
  const gameId = ofGame.exec(path)?.[1]
  if (gameId !== undefined) return { gameId, folder: null, name: path }
  return ofNone.test(path) ? { gameId: null, folder: null, name: path } : null
}

/** True for folders with so many files that their lists are separate documents. */
export const isListedFolder = (folder: string): boolean => /^raw\/|\/answers$/.test(folder)

/** Returns the month of a run's folder. */
export const monthOfFolder = (folder: string): string => {
  const run = folder.slice(Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("=")) + 1)
  return runMillis(run) === null ? "other" : run.slice(0, 6)
}

/** Returns the month of a run. */
export const monthOfRun = (run: string): string => monthOfFolder(`=${run}`)
