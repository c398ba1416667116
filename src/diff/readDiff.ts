import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Home } from "../lake/Home.ts"
import type { Manifest } from "../lake/Manifest.ts"
import { readJson } from "../lake/writeFile.ts"
import { Diff } from "./Diff.ts"

/** The counts of what changed when a snapshot was made; null for a game's first. */
export const readDiff = Effect.fnUntraced(function* (gameId: string, { snapshot }: Manifest) {
  const file = join((yield* Home).changes(gameId, snapshot), "diff.json")
  return existsSync(file) ? yield* readJson(file, Diff) : null
})
