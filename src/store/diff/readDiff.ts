import { join } from "node:path"
import { Effect } from "effect"
import { FileDamaged } from "../home/verifyFile.ts"
import { Home } from "../home/Home.ts"
import type { Manifest } from "../home/Manifest.ts"
import { readJson } from "../home/jsonFile.ts"
import { Diff } from "./Diff.ts"
import { isThere } from "../home/disk.ts"

/** The counts of what changed when a snapshot was made; null for a game's first. */
export const readDiff = Effect.fnUntraced(function* (gameId: string, { snapshot }: Pick<Manifest, "snapshot">) {
  const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
  if (!isThere(file)) return null
  const diff = yield* readJson(file, Diff)
  if (diff.gameId === gameId && diff.to === snapshot) return diff
  return yield* new FileDamaged({ file, what: `it counts the changes of ${diff.to} of ${diff.gameId}` })
})
