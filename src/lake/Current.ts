import { existsSync } from "node:fs"
import { Effect, Schema } from "effect"
import { Home } from "./Home.ts"
import { readJson } from "./writeFile.ts"

/** `current.json`: which snapshot of each game is published, and all that ever were, oldest first. Its rename is the commit. */
export const Current = Schema.Struct({
  games: Schema.Record(
    Schema.String,
    Schema.Struct({ snapshot: Schema.String, published: Schema.Array(Schema.String) })
  )
})
export type Current = typeof Current.Type

/** The published state of the home; no games where nothing was ever published. */
export const readCurrent = Effect.gen(function* () {
  const home = yield* Home
  if (!existsSync(home.current)) return { games: {} } satisfies Current
  return yield* readJson(home.current, Current)
})
