import { basename, dirname } from "node:path/posix"
import type { Ref } from "./documents.ts"

/** The keys of swapped documents. */
export const lakeKey = "lake.json"
export const gameKey = (gameId: string) => `games/${gameId}/game.json`

/** Returns the prefix of a game's objects, or of shared objects. */
const roomOf = (gameId: string | null): string => (gameId === null ? "shared" : `games/${gameId}`)

/** Returns the game of an object; null if it is shared. */
export const gameOf = (key: string): string | null => /^games\/([^/]+)\//.exec(key)?.[1] ?? null

/** The kind of an object, by the home's top folders. */
const kinds: Readonly<Record<string, string>> = {
  raw: "raw",
  snapshots: "snapshots",
  changes: "changes",
  history: "months",
  deployments: "deployments",
  backfill: "backfill",
  runs: "runs"
}

/** Inserts a checksum before the extensions: `products.3b5f….parquet`. */
const withSum = (name: string, sha256: string): string => {
  const dot = basename(name).indexOf(".", 1)
  const stem = dot < 0 ? basename(name) : basename(name).slice(0, dot)
  const folder = dirname(name) === "." ? "" : `${dirname(name)}/`
  return `${folder}${stem}.${sha256}${dot < 0 ? "" : basename(name).slice(dot)}`
}

/** Returns the key of a file: `path` is its folder in the home, `name` its path in that folder. */
export const fileKey = (
  gameId: string | null,
  {
    attempt,
    name,
    path,
    sha256
  }: { readonly path: string; readonly name: string; readonly attempt: string; readonly sha256: string }
): string =>
  `${roomOf(gameId)}/${kinds[path.split("/")[0] ?? ""] ?? "files"}/attempt-${attempt}/${withSum(name.replace(/^(?:[a-z]+\/game=[^/]+|runs|backfill)\//, ""), sha256)}`

/** Returns the key of an immutable document. */
export const documentKey = (gameId: string | null, kind: string, { attempt, sha256 }: Ref): string =>
  `${roomOf(gameId)}/${kind}/attempt-${attempt}/${kind}.${sha256}.json`

/** Returns the attempt that wrote an object; null for a swapped document or a foreign object. */
export const attemptOf = (key: string): string | null =>
  /^(?:shared|games\/[^/]+)\/[a-z]+\/attempt-([0-9A-Za-z-]+)\//.exec(key)?.[1] ?? null
