import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import type { Current } from "./Current.ts"
import { Home } from "./Home.ts"
import type { Manifest } from "./Manifest.ts"
import { readSnapshot } from "./snapshots.ts"

/** A reading that a game's history goes through. */
export interface Night {
  readonly gameId: string
  readonly snapshot: string
  /** From 1. */
  readonly place: number
  readonly manifest: Manifest
  /** A file of the reading by its name, `source_prices.parquet`; null where it is not kept. */
  readonly file: (name: string) => string | null
}

/**
 * Snapshots of a game that followed each other, oldest first: every publication goes on from the one before, a rollback takes back what
 * came after the snapshot it returns to.
 */
export const publishedChain = (current: Current, gameId: string): ReadonlyArray<string> => {
  const steps = current.history.filter((step) => step.gameId === gameId).map((step) => step.snapshot)
  // Homes of before the steps were recorded.
  const all = steps.length > 0 ? steps : (current.games[gameId]?.published ?? [])
  const chain: Array<string> = []
  for (const snapshot of all) {
    const earlier = chain.indexOf(snapshot)
    chain.splice(earlier === -1 ? chain.length : earlier, Infinity, snapshot)
  }
  return chain
}

/** The readings of a game's history that the home still holds, oldest first. */
export const nightsOf = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const folders = publishedChain(current, gameId)
    .map((snapshot) => home.snapshot(gameId, snapshot))
    .filter((folder) => existsSync(join(folder, "manifest.json")))
  const kept = yield* Effect.forEach(folders, readSnapshot, { concurrency: 8 })
  return kept.map(({ folder, manifest }, index): Night => ({
    gameId,
    snapshot: manifest.snapshot,
    place: index + 1,
    manifest,
    file: (name) =>
      [join(folder, name), join(home.changes(gameId, manifest.snapshot), name)].find((file) => existsSync(file)) ?? null
  }))
})
