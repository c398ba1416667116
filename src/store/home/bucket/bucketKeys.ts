import { basename } from "node:path/posix"
import { isPathBelow } from "../../../feed/guard/joinBelow.ts"
import { runMillis } from "../newRunId.ts"
import { objectKey } from "./log/objects.ts"

/** The owner and the relative path of a home's file. */
export interface Place {
  /** Null if it belongs to no game. */
  readonly gameId: string | null
  /** The folder of a run; empty if it belongs to no run. */
  readonly folder: string
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
const ofLake = /^(?:fx_rates\.parquet(?:\.sha256)?|backfill\/limits\.json)$/

/** The folder of reports. Unlike other folders of runs, it has one file for each run. */
export const reportsFolder = "runs"
const report = /^runs\/([^/]+\.json)$/

/** Returns null for a run's temporary files, the derived lake, and unknown paths. */
export const parsePlace = (path: string): Place | null => {
  if (path.endsWith(".part") || !isPathBelow(path)) return null
  for (const pattern of ofRuns) {
    const [, folder, gameId, name] = pattern.exec(path) ?? []
    if (folder !== undefined && gameId !== undefined && name !== undefined) return { gameId, folder, name }
  }
  const gameId = ofGame.exec(path)?.[1]
  if (gameId !== undefined) return { gameId, folder: "", name: path }
  const name = report.exec(path)?.[1]
  if (name !== undefined) return { gameId: null, folder: reportsFolder, name }
  return ofLake.test(path) ? { gameId: null, folder: "", name: path } : null
}

/** True for folders with so many files that their lists are separate documents. */
export const isListedFolder = (folder: string): boolean => /^raw\/|\/answers$/.test(folder)

/** The month of folders that no run has named. */
const otherMonth = "other"
export const isMonthOfRuns = (name: string): boolean => name !== otherMonth

/** Returns the month of the run that a file or folder belongs to. A list of this month has it. */
export const monthOfPlace = ({ folder, name = "" }: { readonly folder: string; readonly name?: string }): string => {
  const path = folder === reportsFolder ? basename(name, ".json") : folder
  const run = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("=")) + 1)
  return runMillis(run) === null ? otherMonth : run.slice(0, 6)
}

/** Returns the folder of a game's log and objects, or of the lake's. */
export const roomPath = (gameId: string | null): string => (gameId === null ? "lake" : `games/${gameId}`)

/** Returns the game of a key; null if it belongs to the lake. */
export const parseGame = (key: string): string | null => /^games\/([^/]+)\//.exec(key)?.[1] ?? null

/**
 * The kind of an object, by the home's top folders. It is part of the name, for people and for messages. The changelog of
 * a game is that of its last snapshot, so both share objects.
 */
const kinds: Readonly<Record<string, string>> = {
  raw: "raw",
  snapshots: "snapshots",
  changes: "changes",
  history: "months",
  deployments: "snapshots",
  backfill: "backfill",
  [reportsFolder]: "runs"
}

export interface HomeFile extends Place {
  readonly sha256: string
  readonly sizeBytes: number
  /** The attempt that wrote its object. */
  readonly attempt: string
  /** The position in the joined packs of its attempt and kind. Absent: the file is an object, not part of a pack. */
  readonly position?: number | undefined
}

export const kindOf = ({ folder, name }: Omit<Place, "gameId">): string =>
  kinds[(folder === "" ? name : folder).split("/")[0] ?? ""] ?? "files"

/** The maximum size of a pack, which is in memory while it is written. */
export const packBytes = 8 * 1024 * 1024

export const keyOfFile = ({ position, ...file }: Omit<HomeFile, "sizeBytes">): string => {
  const [room, kind] = [roomPath(file.gameId), kindOf(file)]
  if (position === undefined) return objectKey(room, file.attempt, file.sha256, `${kind}.${basename(file.name)}`)
  return `${room}/objects/${file.attempt}/${Math.floor(position / packBytes)}.${kind}.pack`
}

/** True for the key of a pack. It may have files that no list names any more. */
export const isPack = (key: string): boolean => key.endsWith(".pack")

/** Returns the file's part of its object; undefined for the whole object. */
export const partOfFile = ({ position, sizeBytes }: Pick<HomeFile, "position" | "sizeBytes">) =>
  position === undefined ? undefined : { offset: position % packBytes, sizeBytes }

/** Returns the key of a list: of the files of a folder, or of the folders of a month. Those of the lake are lists of runs. */
export const listKey = (
  gameId: string | null,
  kind: "list" | "month",
  { attempt, sha256 }: Pick<HomeFile, "attempt" | "sha256">
): string => objectKey(roomPath(gameId), attempt, sha256, `${gameId === null && kind === "month" ? "runs" : kind}.json`)
