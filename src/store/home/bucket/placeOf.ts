import { millisOf } from "../newRunId.ts"
import { isPathBelow } from "../../../feed/guard/joinBelow.ts"

/** Where a file of a home belongs, by its path there. */
export interface Place {
  /** Null: to no game. */
  readonly gameId: string | null
  /** The folder of a run; null: it belongs to none. */
  readonly folder: string | null
  /** Its path below that folder, else below the home. */
  readonly name: string
}

/** Folders whose files are one thing, as they are written once and go together. */
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

/** Null: it is a run's scratch, the lake that is made from the others, or no place of a home. */
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

/** Folders of so many files that their lists are documents of their own. */
export const isListedFolder = (folder: string): boolean => /^raw\/|\/answers$/.test(folder)

/** The month that a run's folder is filed under. */
export const monthOfFolder = (folder: string): string => {
  const run = folder.slice(Math.max(folder.lastIndexOf("/"), folder.lastIndexOf("=")) + 1)
  return millisOf(run) === null ? "other" : run.slice(0, 6)
}

/** The same for a run. */
export const monthOfRun = (run: string): string => monthOfFolder(`=${run}`)
