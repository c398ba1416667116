import { basename, dirname } from "node:path/posix"
import type { Ref } from "./documents.ts"

/** The swapped documents. */
export const lakeKey = "lake.json"
export const gameKey = (gameId: string) => `games/${gameId}/game.json`

/** Where the objects of a game are, or of none. */
const roomOf = (gameId: string | null): string => (gameId === null ? "shared" : `games/${gameId}`)

/** Whose an object is; null: no game's. */
export const gameOf = (key: string): string | null => /^games\/([^/]+)\//.exec(key)?.[1] ?? null

/** What an object is of, by the home's own folders. */
const kinds: Readonly<Record<string, string>> = {
  raw: "raw",
  snapshots: "snapshots",
  changes: "changes",
  history: "months",
  deployments: "deployments",
  backfill: "backfill",
  runs: "runs"
}

/** A sum goes before the extensions: `products.3b5f….parquet`. */
const withSum = (name: string, sha256: string): string => {
  const dot = basename(name).indexOf(".", 1)
  const stem = dot < 0 ? basename(name) : basename(name).slice(0, dot)
  const folder = dirname(name) === "." ? "" : `${dirname(name)}/`
  return `${folder}${stem}.${sha256}${dot < 0 ? "" : basename(name).slice(dot)}`
}

/** The key of a file of a home: `path` is that of its folder in the home, `name` its own below that. */
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

/** The key of a document that never changes. */
export const documentKey = (gameId: string | null, kind: string, { attempt, sha256 }: Ref): string =>
  `${roomOf(gameId)}/${kind}/attempt-${attempt}/${kind}.${sha256}.json`

/** Who wrote an object; null: it is a swapped document, or not ours. */
export const attemptOf = (key: string): string | null =>
  /^(?:shared|games\/[^/]+)\/[a-z]+\/attempt-([0-9A-Za-z-]+)\//.exec(key)?.[1] ?? null
