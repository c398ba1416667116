import { basename } from "node:path/posix"
import type { Ref } from "./documents.ts"
import { objectKey } from "./log/objects.ts"

/** Returns the folder of a game's log and objects, or of the lake's. */
export const roomOf = (gameId: string | null): string => (gameId === null ? "lake" : `games/${gameId}`)

/** Returns the game of a key; null if it belongs to the lake. */
export const gameOf = (key: string): string | null => /^games\/([^/]+)\//.exec(key)?.[1] ?? null

/** The kind of an object, by the home's top folders. It is part of the name, for people and for messages. */
const kinds: Readonly<Record<string, string>> = {
  raw: "raw",
  snapshots: "snapshots",
  changes: "changes",
  history: "months",
  deployments: "deployments",
  backfill: "backfill",
  runs: "runs"
}

/** Returns the key of a file: `path` is its folder in the home, or the file itself. */
export const fileKey = (
  gameId: string | null,
  {
    attempt,
    name,
    path,
    sha256
  }: { readonly path: string; readonly name: string; readonly attempt: string; readonly sha256: string }
): string =>
  objectKey(roomOf(gameId), attempt, sha256, `${kinds[path.split("/")[0] ?? ""] ?? "files"}.${basename(name)}`)

/** Returns the key of a list of files. */
export const documentKey = (gameId: string | null, kind: string, { attempt, sha256 }: Ref): string =>
  objectKey(roomOf(gameId), attempt, sha256, `${kind}.json`)

/** Returns the key of a run's report: in the room of a game whose commit names it, or in the lake's. */
export const reportKey = (
  gameId: string | null,
  { file: [sha256, , attempt], run }: { readonly run: string; readonly file: readonly [string, number, string] }
): string => fileKey(gameId, { path: "runs", name: `${run}.json`, attempt, sha256 })
