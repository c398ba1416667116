import { Effect } from "effect"
import { publishedChain } from "../../store/lake/history/nights.ts"
import { readCurrent } from "../../store/home/Home.ts"
import { gamesWithSnapshots, readSnapshots } from "../../store/home/Manifest.ts"

/** Snapshots, oldest first: `current`, `earlier` in the history, `taken back`, or never published (`held`). */
export const listSnapshots = Effect.gen(function* () {
  const current = yield* readCurrent
  const games = yield* gamesWithSnapshots
  const lists = yield* Effect.forEach(games, readSnapshots)
  return lists.flat().map(({ manifest }) => {
    const live = current.games[manifest.gameId]
    const inHistory = publishedChain(current, manifest.gameId).includes(manifest.snapshot) ? "earlier" : "taken back"
    const before = live?.published.includes(manifest.snapshot) === true ? inHistory : "held"
    const tables = Object.values(manifest.tables)
    return {
      gameId: manifest.gameId,
      snapshot: manifest.snapshot,
      state: live?.snapshot === manifest.snapshot ? "current" : before,
      deploymentId: manifest.deploymentId,
      deployedAt: manifest.deployedAt,
      extractedAt: manifest.extractedAt,
      products: manifest.tables["products"]?.rows ?? 0,
      expansions: manifest.tables["expansions"]?.rows ?? 0,
      refused: manifest.refused,
      sizeBytes: tables.reduce((sum, table) => sum + table.sizeBytes, 0)
    }
  })
})
