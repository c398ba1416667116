import { Effect, Stream } from "effect"
import { shortened } from "../rows/acceptPage.ts"
import type { Extraction } from "./Extraction.ts"
import { readRefusals } from "./readExtraction.ts"

/**
 * How many refused records of an extraction are the game's own. Every reading stores the list of all games: a record
 * of another game that the contract refuses there is that game's.
 */
export const refusedOfGame = Effect.fnUntraced(function* ({ gameId, pages, refused }: Extraction, folder: string) {
  const listed = pages.filter(({ kind }) => kind === "games").reduce((sum, page) => sum + page.refused, 0)
  if (listed === 0) return refused
  const own = yield* Stream.runCount(
    Stream.filter(readRefusals(folder), ({ id, kind }) => kind === "games" && id === shortened(gameId))
  )
  return refused - listed + own
})
