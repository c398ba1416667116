import { Effect } from "effect"
import type { Destination } from "./destination/Destination.ts"
import { type Drop, DropState, ownersOf, readDocument, stateFile } from "./drop/Drop.ts"

/** What a drop has, by game, and of the rows that belong to none; null = the state is gone. */
export const statesOf = Effect.fnUntraced(function* (to: Destination, drop: Drop) {
  const states = yield* Effect.forEach(yield* ownersOf(to, drop), (gameId) =>
    Effect.map(readDocument(to, stateFile(gameId), DropState), (state) => [gameId, state] as const)
  )
  return new Map(states)
})
