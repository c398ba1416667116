import { Effect } from "effect"
import type { Destination } from "./destination/Destination.ts"
import { type Drop, DropState, readDocument, stateFile } from "./drop/Drop.ts"

/** What a drop has, by game; null = the state is gone. */
export const statesOf = Effect.fnUntraced(function* (to: Destination, { games }: Drop) {
  const states = yield* Effect.forEach(games, (gameId) =>
    Effect.map(readDocument(to, stateFile(gameId), DropState), (state) => [gameId, state] as const)
  )
  return new Map(states)
})
